//! Abandoned games.

use serde_json::json;

use crate::client::{Client, Failure};

/// Plays a game of four abandoned players, by the autopilot to its end. Returns their tokens, and the receipt
/// of the last resignation.
pub async fn play_out(
    client: &mut Client,
    ruleset: &str,
    rounds: u32,
) -> Result<(String, Vec<String>, String), Failure> {
    let (path, tokens) = table(client, ruleset, rounds).await?;
    let mut receipt = String::new();
    for token in &tokens {
        let resigned = client.post_json(&format!("{path}/resignation"), Some(token), &json!({})).await;
        // The game may be over before the last of them gives up.
        let Ok(resigned) = resigned else { break };
        resigned["receipt"].as_str().unwrap_or_default().clone_into(&mut receipt);
    }
    Ok((path, tokens, receipt))
}

/// Returns a started game of four, and its players' tokens.
pub async fn table(
    client: &mut Client,
    ruleset: &str,
    rounds: u32,
) -> Result<(String, Vec<String>), Failure> {
    let mut tokens = Vec::new();
    for _ in 0..4 {
        let created = client.post_json("/v1/players", None, &json!({"name": "Eve"})).await?;
        tokens.push(created["token"].as_str().unwrap_or_default().to_owned());
    }
    let new = json!({"ruleset": ruleset, "seats": 4, "options": {"max_rounds": rounds}});
    let created = client.post_json("/v1/games", Some(&tokens[0]), &new).await?;
    let path = format!("/v1/games/{}", created["id"].as_str().unwrap_or_default());
    for token in &tokens[1..] {
        client.post(&format!("{path}/seats"), Some(token), "{}".into()).await?;
    }
    Ok((path, tokens))
}
