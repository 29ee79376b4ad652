//! Encryption of stored answers: the database alone reveals no token.

use aws_lc_rs::{
    aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    rand::{SecureRandom as _, SystemRandom},
};

pub struct AnswerSeal(Option<LessSafeKey>);

impl AnswerSeal {
    pub fn new(secret: &[u8; 32]) -> Self {
        Self(UnboundKey::new(&CHACHA20_POLY1305, secret).ok().map(LessSafeKey::new))
    }

    /// Encrypts an answer for the request with this digest.
    pub fn seal(&self, mut answer: Vec<u8>, digest: &[u8; 16]) -> Option<Vec<u8>> {
        let mut nonce = [0; NONCE_LEN];
        SystemRandom::new().fill(&mut nonce).ok()?;
        let seal = self.0.as_ref()?;
        let aad = Aad::from(digest);
        seal.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), aad, &mut answer).ok()?;
        Some([&nonce[..], &answer].concat())
    }

    /// Decrypts an answer. Returns `None` if it was encrypted with another key or for another request.
    pub fn open(&self, mut sealed: Vec<u8>, digest: &[u8; 16]) -> Option<Vec<u8>> {
        let (nonce, answer) = sealed.split_first_chunk_mut::<NONCE_LEN>()?;
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let opened = self.0.as_ref()?.open_in_place(nonce, Aad::from(digest), answer).ok()?;
        Some(opened.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_opens_for_its_request_and_under_its_key_alone() {
        let (seal, other) = (AnswerSeal::new(&[1; 32]), AnswerSeal::new(&[2; 32]));
        let sealed = seal.seal(b"a token".to_vec(), &[7; 16]).unwrap();
        assert!(!sealed.windows(5).any(|part| part == b"token"));
        assert_eq!(seal.open(sealed.clone(), &[7; 16]).as_deref(), Some(&b"a token"[..]));
        assert_eq!((seal.open(sealed.clone(), &[8; 16]), other.open(sealed, &[7; 16])), (None, None));
        assert_eq!(seal.open(vec![0; 3], &[7; 16]), None);
    }
}
