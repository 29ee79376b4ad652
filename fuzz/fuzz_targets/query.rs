//! The query of a request.
#![no_main]

use libfuzzer_sys::fuzz_target;
use playledger::http::request::Query;

fuzz_target!(|text: &str| {
    let Ok(mut query) = Query::read(text) else { return };
    let limit = query.limit();
    assert!(limit.is_err() || (1..=100).contains(&limit.unwrap_or_default()));
    let _ = (query.after(), query.whole("seq", 0, 9), query.text("cursor"), query.end());
});
