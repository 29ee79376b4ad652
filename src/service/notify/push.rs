//! Web push: encrypted for the browser that subscribed (RFC 8291), and signed by the server (RFC 8292).

use aws_lc_rs::{
    aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    agreement::{self, ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey},
    hkdf::{HKDF_SHA256, KeyType, Prk, Salt},
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _},
};
use data_encoding::BASE64URL_NOPAD;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::item::Item;
use crate::service::ports::HttpRequest;

/// Size of the single record of a message.
const RECORD: u32 = 4_096;
/// Longest text, so that a message fits a record.
const LONGEST: usize = 1_000;
/// How long a push service keeps a message, and how long a signature is valid, in seconds.
const KEPT: u64 = 3 * 24 * 3_600;
const SIGNED_FOR: u64 = 12 * 3_600;

/// The subscription of a browser.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subscription {
    pub endpoint: String,
    /// Public key of the browser, and a shared secret.
    pub p256dh: String,
    pub auth: String,
}

impl Subscription {
    pub fn read(target: &str) -> Option<Self> {
        serde_json::from_str(target).ok()
    }

    pub fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    fn keys(&self) -> Option<([u8; 65], [u8; 16])> {
        // Browsers omit the padding, some libraries do not.
        let bytes = |text: &str| BASE64URL_NOPAD.decode(text.trim_end_matches('=').as_bytes()).ok();
        Some((bytes(&self.p256dh)?.try_into().ok()?, bytes(&self.auth)?.try_into().ok()?))
    }

    /// Returns whether messages can be encrypted for it.
    pub fn is_whole(&self) -> bool {
        self.keys().is_some_and(|(key, _)| key[0] == 4)
    }

    /// Encrypts a message for this browser.
    fn sealed(&self, text: &[u8]) -> Option<Vec<u8>> {
        let (theirs, auth) = self.keys()?;
        let random = SystemRandom::new();
        let mine = EphemeralPrivateKey::generate(&ECDH_P256, &random).ok()?;
        let public: [u8; 65] = mine.compute_public_key().ok()?.as_ref().try_into().ok()?;
        let salt: [u8; 16] = aws_lc_rs::rand::generate(&random).ok()?.expose();
        let their_key = UnparsedPublicKey::new(&ECDH_P256, theirs);
        agreement::agree_ephemeral(mine, their_key, (), |shared| {
            seal(text, shared, &auth, &theirs, &public, &salt).ok_or(())
        })
        .ok()
    }
}

/// Length of a derived key, in bytes.
struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn expand<const N: usize>(key: &Prk, info: &[&[u8]]) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    key.expand(info, Length(N)).ok()?.fill(&mut bytes).ok()?;
    Some(bytes)
}

/// Encrypts by RFC 8291, section 3, as one record of RFC 8188.
fn seal(
    text: &[u8],
    shared: &[u8],
    auth: &[u8; 16],
    theirs: &[u8; 65],
    mine: &[u8; 65],
    salt: &[u8; 16],
) -> Option<Vec<u8>> {
    let both = Salt::new(HKDF_SHA256, auth).extract(shared);
    let secret: [u8; 32] = expand(&both, &[b"WebPush: info\0", theirs, mine])?;
    let root = Salt::new(HKDF_SHA256, salt).extract(&secret);
    let key: [u8; 16] = expand(&root, &[b"Content-Encoding: aes128gcm\0"])?;
    let nonce: [u8; 12] = expand(&root, &[b"Content-Encoding: nonce\0"])?;
    let mut record = text.to_vec();
    // Marks the last record.
    record.push(2);
    let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).ok()?);
    key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut record).ok()?;
    let mut message = [&salt[..], &RECORD.to_be_bytes(), &[65], mine].concat();
    message.extend_from_slice(&record);
    Some(message)
}

/// The key that identifies this server to push services.
pub struct PushKey(EcdsaKeyPair);

impl PushKey {
    /// Creates a key in its stored form.
    pub fn make() -> Option<Vec<u8>> {
        let random = SystemRandom::new();
        let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).ok()?;
        Some(made.as_ref().to_vec())
    }

    pub fn read(kept: &[u8]) -> Option<Self> {
        EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, kept).ok().map(Self)
    }

    /// Returns the public key for subscriptions.
    pub fn public(&self) -> String {
        BASE64URL_NOPAD.encode(self.0.public_key().as_ref())
    }

    /// Signs a token for a push service, by RFC 8292.
    fn vouch(&self, endpoint: &str, now: u64, contact: &str) -> Option<String> {
        let audience = url::Url::parse(endpoint).ok()?.origin().ascii_serialization();
        let part = |value: &serde_json::Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
        let head = part(&json!({"typ": "JWT", "alg": "ES256"}));
        let claims = part(&json!({"aud": audience, "exp": now + SIGNED_FOR, "sub": contact}));
        let signed = format!("{head}.{claims}");
        let signature = self.0.sign(&SystemRandom::new(), signed.as_bytes()).ok()?;
        Some(format!("vapid t={signed}.{}, k={}", BASE64URL_NOPAD.encode(signature.as_ref()), self.public()))
    }

    /// Returns the request for a browser. `now` is in seconds.
    pub fn message(
        &self,
        to: &Subscription,
        item: &Item,
        link: Option<&str>,
        now: u64,
    ) -> Option<HttpRequest> {
        let text: String = item.text.chars().take(LONGEST).collect();
        // A newer message about a game replaces an older one.
        let topic = item.game.as_deref().unwrap_or("playledger").replace('-', "");
        let told =
            json!({"title": item.title, "text": text, "game": item.game, "type": item.kind, "url": link});
        let body = to.sealed(told.to_string().as_bytes())?;
        // The push service learns the server, and not the game.
        let origin = link.and_then(|link| url::Url::parse(link).ok()).map(|link| link.origin());
        let contact = origin
            .map_or_else(|| "https://localhost/".to_owned(), |origin| origin.ascii_serialization() + "/");
        let headers = vec![
            ("authorization", self.vouch(&to.endpoint, now, &contact)?),
            ("content-encoding", "aes128gcm".to_owned()),
            ("content-type", "application/octet-stream".to_owned()),
            ("ttl", KEPT.to_string()),
            ("topic", topic),
        ];
        Some(HttpRequest { url: to.endpoint.clone(), headers, body })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes<const N: usize>(text: &str) -> [u8; N] {
        BASE64URL_NOPAD.decode(text.as_bytes()).unwrap().try_into().unwrap()
    }

    /// RFC 8291, appendix A.
    #[test]
    fn the_vectors_of_the_rfc_hold() {
        let sealed = seal(
            b"When I grow up, I want to be a watermelon",
            &bytes::<32>("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs"),
            &bytes("BTBZMqHH6r4Tts7J_aSIgg"),
            &bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
            &bytes("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"),
            &bytes("DGv6ra1nlYgDCS1FRnbzlw"),
        );
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(BASE64URL_NOPAD.encode(&sealed.unwrap()), expected);
    }

    #[test]
    fn a_message_is_signed_for_its_push_service_and_fits_one_record() {
        let key = PushKey::read(&PushKey::make().unwrap()).unwrap();
        let subscription = Subscription {
            endpoint: "https://push.example:444/x/y".into(),
            p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
                .into(),
            auth: "BTBZMqHH6r4Tts7J_aSIgg==".into(),
        };
        assert!(subscription.is_whole());
        let item = Item {
            kind: "turn".into(),
            game: Some("01a20435-70ec-770c-9c9f-9b9f047e204b".into()),
            seat: Some(0),
            title: "t".repeat(200),
            text: "ὥ".repeat(5_000),
            data: serde_json::Value::Null,
            picture: None,
        };
        let HttpRequest { headers, body, .. } =
            key.message(&subscription, &item, Some("https://play.example/games/x"), 1_000).unwrap();
        assert!(body.len() <= RECORD as usize, "{}", body.len());
        let header = |name: &str| headers.iter().find(|(known, _)| *known == name).unwrap().1.clone();
        assert_eq!(header("topic").len(), 32, "no longer than a topic may be");
        let (token, public) = header("authorization")
            .strip_prefix("vapid t=")
            .unwrap()
            .split_once(", k=")
            .map(|(t, k)| (t.to_owned(), k.to_owned()))
            .unwrap();
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let claims = BASE64URL_NOPAD.decode(signed.split_once('.').unwrap().1.as_bytes()).unwrap();
        let claims: serde_json::Value = serde_json::from_slice(&claims).unwrap();
        assert_eq!(
            (claims["aud"].as_str(), claims["sub"].as_str()),
            (Some("https://push.example:444"), Some("https://play.example/"))
        );
        let public: [u8; 65] = bytes(&public);
        let check = aws_lc_rs::signature::UnparsedPublicKey::new(
            &aws_lc_rs::signature::ECDSA_P256_SHA256_FIXED,
            public,
        );
        check.verify(signed.as_bytes(), &BASE64URL_NOPAD.decode(signature.as_bytes()).unwrap()).unwrap();
    }
}
