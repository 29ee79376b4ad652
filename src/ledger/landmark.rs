//! Entries whose heads always stand in the public tree. They are told by their bytes, which are canonical: the time is the
//! first field of every body, and the type the last.

const LANDMARKS: [&[u8]; 4] =
    [br#","type":"genesis"}"#, br#","type":"seal"}"#, br#","type":"start"}"#, br#","type":"end"}"#];

pub fn is_landmark(body: &[u8]) -> bool {
    LANDMARKS.iter().any(|end| body.ends_with(end))
}

/// The same of what stands in a body whose bytes may be anybody's.
pub fn is_landmark_type(kind: &str) -> bool {
    matches!(kind, "genesis" | "seal" | "start" | "end")
}

/// The time of an entry.
pub fn time(body: &[u8]) -> Option<u64> {
    let rest = body.strip_prefix(br#"{"at":"#)?;
    let digits = rest.split(|byte| *byte == b',').next()?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::ledger::encoding::canonical;

    #[test]
    fn the_bytes_say_what_the_fields_do() {
        for document in
            [include_str!("golden/finished-short.json"), include_str!("vectors/fairlog-2-small.json")]
        {
            let mut document: Value = serde_json::from_str(document).unwrap();
            if let Some(replay) = document["replay"].as_str() {
                document = serde_json::from_str(replay).unwrap();
            }
            let mut found = Vec::new();
            for entry in document["entries"].as_array().unwrap() {
                let (body, kind) =
                    (canonical(&entry["body"]).unwrap(), entry["body"]["type"].as_str().unwrap());
                assert_eq!(time(&body), entry["body"]["at"].as_u64());
                let expected = ["genesis", "seal", "start", "end"].contains(&kind);
                assert_eq!((is_landmark(&body), is_landmark_type(kind)), (expected, expected), "{kind}");
                found.extend(expected.then_some(kind));
            }
            assert_eq!(found, ["genesis", "seal", "start", "end"]);
        }
    }
}
