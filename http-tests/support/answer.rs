//! Answers, compared with the API's document.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock, Mutex},
};

use jsonschema::Validator;
use playledger::http::document::Rendering;
use serde_json::{Value, json};

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    /// Returns the answer without its individual parts.
    pub fn shape(&self) -> (u16, BTreeMap<String, String>, String) {
        let own = ["date", "x-request-id", "ratelimit"];
        let headers = self.headers.iter().filter(|(name, _)| !own.contains(&name.as_str()));
        (self.status, headers.cloned().collect(), self.text())
    }

    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        self.json()
    }

    /// Checks that the answer is this problem.
    #[track_caller]
    pub fn problem(self, status: u16, code: &str) -> Value {
        let body = self.expect(status);
        assert_eq!(body["code"], code, "{body}");
        body
    }

    pub fn assert_is_as_documented(&self, method: &str, path: &str) {
        assert!(self.header("x-request-id").is_some(), "{method} {path}: every answer has an id");
        assert_eq!(self.header("x-content-type-options"), Some("nosniff"));
        let kind = self.header("content-type").unwrap_or_default();
        if self.status >= 400 && method != "HEAD" {
            assert_eq!(kind, "application/problem+json", "{method} {path}: {}", self.text());
            let problem = self.json();
            assert_eq!(problem["type"], format!("/problems/{}", problem["code"].as_str().unwrap()));
            assert_eq!(problem["status"], self.status);
        }
        let Some(operation) = operation(method, path) else { return };
        let status = self.status.to_string();
        if matches!(self.status, 405 | 406) {
            return;
        }
        let documented = if self.status >= 400 {
            &DOCUMENT["components"]["responses"]["Problem"]
        } else {
            &operation["responses"][&status]
        };
        assert!(documented.is_object(), "{method} {path}: {status} is not documented");
        if self.status >= 400 && method != "HEAD" {
            let code = &self.json()["code"];
            let own = operation["x-problems"].as_array().is_some_and(|own| own.contains(code));
            let is_common = documented["description"]
                .as_str()
                .unwrap()
                .contains(&format!("`{}`", code.as_str().unwrap()));
            assert!(own || is_common, "{method} {path}: {code} is not documented");
        }
        if self.status == 201 {
            let created = self.header("location").unwrap_or_default();
            assert!(
                created.starts_with("/v1/"),
                "{method} {path}: {created:?} is no address of what was created"
            );
        }
        let schema = &documented["content"][kind.split(';').next().unwrap()]["schema"];
        let is_plain = self.header("content-encoding").is_none();
        if kind.contains("json") && schema.is_object() && is_plain {
            let value = self.json();
            let wrong: Vec<String> = validator(schema)
                .iter_errors(&value)
                .map(|error| format!("{error} at {}", error.instance_path()))
                .collect();
            assert_eq!(wrong, Vec::<String>::new(), "{method} {path} {status}: {value}");
        }
    }
}

/// The strict document of the API.
pub static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(&Rendering::Strict.text()).unwrap());

/// Returns the validator of a schema, cached, because compilation takes longer than most requests.
pub fn validator(schema: &Value) -> Arc<Validator> {
    static MADE: Mutex<BTreeMap<String, Arc<Validator>>> = Mutex::new(BTreeMap::new());
    let make = || {
        let schema = json!({"allOf": [schema], "components": DOCUMENT["components"]});
        Arc::new(jsonschema::draft202012::new(&schema).unwrap())
    };
    MADE.lock().unwrap().entry(schema.to_string()).or_insert_with(make).clone()
}

/// Returns the documented operation of a request.
pub fn operation(method: &str, path: &str) -> Option<&'static Value> {
    let path = path.split('?').next()?;
    let fits = |pattern: &str| {
        let (pattern, path): (Vec<_>, Vec<_>) = (pattern.split('/').collect(), path.split('/').collect());
        pattern.len() == path.len()
            && pattern.iter().zip(path).all(|(part, word)| part.starts_with('{') || *part == word)
    };
    let (_, item) = DOCUMENT["paths"].as_object()?.iter().find(|(pattern, _)| fits(pattern))?;
    item.get(method.to_lowercase())
}
