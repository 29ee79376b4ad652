//! Requests byte for byte, as no client library would send them.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
};

use serde_json::Value;

use super::Server;

pub const HOST: &str = "Host: x\r\nConnection: close\r\n";
pub const JSON: &str = "Content-Type: application/json\r\n";

/// Sends bytes on a new connection, and reads until the server closes it.
pub fn raw(server: &Server, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(server.address).unwrap();
    // The server may close the connection early.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8(answer).unwrap()
}

pub fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or_default()
}

/// Checks that the answer is a problem with this status and code.
#[track_caller]
pub fn assert_problem(answer: &str, expected: u16, code: &str) {
    let body = answer.split_once("\r\n\r\n").unwrap_or_default().1;
    let problem: Value = serde_json::from_str(body).unwrap_or_default();
    assert_eq!((status(answer), problem["code"].as_str()), (expected, Some(code)), "{answer}");
}

pub fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\n{HOST}\r\n").into_bytes()
}

pub fn post(path: &str, headers: &str, body: &str) -> Vec<u8> {
    format!("POST {path} HTTP/1.1\r\n{HOST}{JSON}{headers}\r\n{body}").into_bytes()
}
