//! Secrets shown once: tokens for programs, codes for people. The store has only their SHA-256; such long
//! random secrets need no slow hash.

use std::sync::LazyLock;

use data_encoding::{Encoding, Specification};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

use crate::{ledger::encoding::hex, service::ServiceError};

/// Digits of the checksum at the end: the first ones of the SHA-256 of the rest.
const CHECKSUM: usize = 8;
/// Bytes of a recovery code, and of a short-lived device code.
pub const RECOVERY: usize = 15;
pub const LINK: usize = 10;
const GROUP: usize = 4;

/// Crockford's base 32: no letters that look like digits, and common misreadings are accepted.
static BASE_32: LazyLock<Encoding> = LazyLock::new(|| {
    let mut digits = Specification::new();
    digits.symbols.push_str("0123456789abcdefghjkmnpqrstvwxyz");
    digits.translate.from.push_str("ABCDEFGHJKMNPQRSTVWXYZoOiIlL");
    digits.translate.to.push_str("abcdefghjkmnpqrstvwxyz001111");
    digits.ignore.push_str("- ");
    digits.encoding().unwrap_or(data_encoding::BASE32_NOPAD)
});

/// Formats a token of 256 bits. Secret scanners recognize it by its prefix: `plg_`, or for an app `plc_`
/// (code) and `plr_` (refresh token).
pub fn token(prefix: &str, bytes: &[u8; 32]) -> String {
    let token = format!("{prefix}{}", BASE_32.encode(bytes));
    let sum = checksum(&token);
    token + &sum
}

fn checksum(token: &str) -> String {
    let mut sum = hex(&Sha256::digest(token));
    sum.truncate(CHECKSUM);
    sum
}

/// Returns the digest of a token. The checksum is for secret scanners; requests do not wait for it.
pub fn digest_of_token(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

/// Returns the bytes of a token with this prefix and a right checksum.
pub fn bytes_of_token(prefix: &str, token: &str) -> Option<[u8; 32]> {
    let (rest, sum) = token.split_at_checked(token.len().checked_sub(CHECKSUM)?)?;
    let bytes = BASE_32.decode(rest.strip_prefix(prefix)?.as_bytes()).ok()?;
    if checksum(rest) == sum { bytes.try_into().ok() } else { None }
}

/// Formats a code in groups that a person can copy.
pub fn code(bytes: &[u8]) -> String {
    let digits = BASE_32.encode(bytes).to_uppercase();
    let groups = digits.as_bytes().chunks(GROUP).map(|group| String::from_utf8_lossy(group).into_owned());
    groups.collect::<Vec<_>>().join("-")
}

/// Returns the digest of a code of this length, in any common notation.
pub fn digest_of_code(code: &str, length: usize) -> Result<[u8; 32], ServiceError> {
    let bytes = read(code).filter(|bytes| bytes.len() == length);
    bytes.map(|bytes| Sha256::digest(bytes).into()).ok_or(ServiceError::WrongCode)
}

fn read(code: &str) -> Option<Vec<u8>> {
    BASE_32.decode(code.trim().as_bytes()).ok()
}

/// Derives a secret from a code and a nonce. Only an owner of the code can repeat it.
pub fn derived(code: &str, nonce: &[u8; 32], what: &str) -> Result<[u8; 32], ServiceError> {
    let code = read(code).ok_or(ServiceError::WrongCode)?;
    let mac = Hmac::<Sha256>::new_from_slice(&code).map_err(|_| ServiceError::WrongCode)?;
    Ok(mac.chain_update(nonce).chain_update(what).finalize().into_bytes().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_says_by_itself_that_it_is_one_and_whole() {
        let token = token("plg_", &[7; 32]);
        assert!(
            token.starts_with("plg_")
                && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        );
        let (rest, sum) = token.split_at(token.len() - CHECKSUM);
        assert_eq!((rest.len(), checksum(rest).as_str()), (4 + 52, sum));
    }

    #[test]
    fn a_code_is_read_as_people_write() {
        let bytes = [0, 1, 17, 33, 250, 255, 9, 8, 7, 6, 5, 4, 3, 2, 1];
        let shown = code(&bytes);
        assert_eq!(shown.len(), 29, "{shown}");
        let digest = digest_of_code(&shown, RECOVERY).unwrap();
        for written in [
            shown.to_lowercase(),
            shown.replace('-', " "),
            shown.replace('-', ""),
            format!("  {shown}\n"),
            shown.replace('0', "O").replace('1', "l"),
        ] {
            assert_eq!(digest_of_code(&written, RECOVERY).unwrap(), digest, "{written}");
        }
        for wrong in ["", "U", &shown[1..], &code(&bytes[..10]), &"0".repeat(1_000)] {
            assert!(digest_of_code(wrong, RECOVERY).is_err(), "{wrong}");
        }
    }
}
