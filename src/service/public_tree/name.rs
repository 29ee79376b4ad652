//! The name of a tree. A name has one key for ever: witnesses treat two logs of one name as a fork.

use crate::{
    service::ServiceError,
    store::TreeKey,
    tree::{secret_key::SecretKey, signer::Signer},
};

/// Chooses the name and key of the tree. The key is derived from the receipt key: after a restore or a loss
/// of that key, the tree continues under another name.
pub fn choose(
    signer: &Signer,
    known: &[TreeKey],
    asked: Option<&str>,
    public_url: Option<&str>,
) -> Result<Signer, ServiceError> {
    let secret = signer.branch("log");
    let key = SecretKey::new(&secret).mark();
    let named = |origin: &str| {
        let wrong = || {
            ServiceError::Internal(format!(
                "`{origin}` is not a valid tree name: spaces and plus signs are not allowed"
            ))
        };
        Signer::new(origin, &secret).ok_or_else(wrong)
    };
    if let Some(newest) = known.first() {
        let log = named(&newest.origin)?;
        if log.verifier_key().to_string() == newest.key {
            let own = |asked: &str| [asked.to_owned(), format!("{asked}/{key}")].contains(&newest.origin);
            return match asked.filter(|asked| !own(asked)) {
                None => Ok(log),
                Some(asked) => Err(ServiceError::Internal(format!(
                    "the public tree of this database is named `{}`, not `{asked}`, and the name cannot change: remove --origin",
                    newest.origin
                ))),
            };
        }
    }
    let origin = match (asked, public_url.map(host_and_path)) {
        (Some(asked), _) => asked.to_owned(),
        (None, Some(place)) => format!("{place}/tlog"),
        (None, None) => format!("playledger/{key}"),
    };
    let is_taken = |origin: &String| known.iter().any(|known| known.origin == *origin);
    let marked = format!("{origin}/{key}");
    let more = (2..).map(|number| format!("{marked}/{number}"));
    let mut names = [origin, marked.clone()].into_iter().chain(more);
    named(&names.find(|name| !is_taken(name)).unwrap_or(marked))
}

/// Returns an address without its scheme.
fn host_and_path(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest).trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use sha2::Digest as _;

    use super::*;

    fn signer(byte: u8) -> Signer {
        Signer::new("play.example", &[byte; 32]).unwrap()
    }

    fn row(log: &Signer) -> TreeKey {
        let key = log.verifier_key();
        TreeKey { origin: key.name().to_owned(), key: key.to_string(), since: 1 }
    }

    fn name(log: &Signer) -> String {
        log.verifier_key().name().to_owned()
    }

    #[test]
    fn a_tree_is_named_once() {
        let first = choose(&signer(1), &[], None, Some("https://games.example/x/")).unwrap();
        assert_eq!(name(&first), "games.example/x/tlog");
        let known = [row(&first)];
        let again = choose(&signer(1), &known, None, Some("https://elsewhere.example")).unwrap();
        assert_eq!(again.verifier_key(), first.verifier_key());
        assert!(choose(&signer(1), &known, Some("games.example/x/tlog"), None).is_ok());
        assert!(choose(&signer(1), &known, Some("other.example/tlog"), None).is_err());
        assert!(choose(&signer(1), &[], Some("two words"), None).is_err());
        let asked = choose(&signer(1), &[], Some("mine/log"), Some("https://games.example")).unwrap();
        assert_eq!(name(&asked), "mine/log");
    }

    #[test]
    fn a_name_that_was_asked_for_is_asked_for_again_after_a_restore() {
        let first = choose(&signer(1), &[], Some("o"), None).unwrap();
        let second = choose(&signer(2), &[row(&first)], Some("o"), None).unwrap();
        let again = choose(&signer(2), &[row(&second), row(&first)], Some("o"), None).unwrap();
        assert_eq!((name(&first), name(&again)), ("o".to_owned(), name(&second)));
    }

    #[test]
    fn without_an_address_its_key_names_it() {
        let log = choose(&signer(1), &[], None, None).unwrap();
        let key = sha2::Sha256::digest(log.verifier_key().public());
        assert_eq!(name(&log), format!("playledger/{}", data_encoding::HEXLOWER.encode(&key[..8])));
    }

    #[test]
    fn another_key_never_gets_a_name_that_one_had() {
        for url in [None, Some("https://games.example")] {
            let first = choose(&signer(1), &[], None, url).unwrap();
            let second = choose(&signer(2), &[row(&first)], None, url).unwrap();
            assert_ne!(name(&second), name(&first));
            let third = choose(&signer(3), &[row(&second), row(&first)], None, url).unwrap();
            assert!(![name(&first), name(&second)].contains(&name(&third)));
            // A key that returns gets another tree.
            let mut known = vec![row(&third), row(&second), row(&first)];
            for back in [1, 2, 3, 1] {
                let again = choose(&signer(back), &known, None, url).unwrap();
                assert!(known.iter().all(|known| known.origin != name(&again)));
                known.insert(0, row(&again));
            }
        }
    }
}
