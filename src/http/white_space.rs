//! White space in JSON.

/// Returns JSON without insignificant white space. Every other byte stays.
pub fn without_space(body: &[u8]) -> Vec<u8> {
    let (mut in_string, mut is_escaped) = (false, false);
    let mut kept = Vec::with_capacity(body.len());
    for &byte in body {
        if in_string || !byte.is_ascii_whitespace() {
            kept.push(byte);
        }
        if byte == b'"' && !is_escaped {
            in_string = !in_string;
        }
        is_escaped = in_string && byte == b'\\' && !is_escaped;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_counts_in_strings_only() {
        for (body, bare) in [
            (r#"{ "a" : [ 1, 2 ] }"#, r#"{"a":[1,2]}"#),
            (r#"{"a b": " c\" d " , "e":1}"#, r#"{"a b":" c\" d ","e":1}"#),
            (r#"["\\" , "x y"]"#, r#"["\\","x y"]"#),
            ("", ""),
        ] {
            assert_eq!(String::from_utf8(without_space(body.as_bytes())).unwrap(), bare);
        }
    }
}
