//! Ranking after resignations.

use std::collections::BTreeMap;

use serde_json::Value;

use super::standing::Standing;

/// Ranks resigned seats behind all others. The others keep their order and ties; of the resigned seats, the
/// last to resign is first.
pub fn behind(result: Value, standing: &Standing) -> Value {
    let Value::Array(scores) = result else { return result };
    if standing.resigned.is_empty() {
        return scores.into();
    }
    let seat_of = |score: &Value| score["seat"].as_u64().unwrap_or_default();
    let place_of = |score: &Value| score["place"].as_u64().unwrap_or_default();
    let (mut stayed, mut resigned) = (Vec::new(), BTreeMap::new());
    for score in scores {
        match standing.resigned.iter().position(|seat| *seat == seat_of(&score)) {
            Some(order) => drop(resigned.insert(order, score)),
            None => stayed.push(score),
        }
    }
    let before: Vec<u64> = stayed.iter().map(place_of).collect();
    for score in &mut stayed {
        let better = before.iter().filter(|place| **place < place_of(score)).count() as u64;
        score["place"] = (better + 1).into();
    }
    let first = stayed.len() as u64 + 1;
    let last = (first..).zip(resigned.into_values().rev()).map(|(place, mut score)| {
        score["place"] = place.into();
        score
    });
    stayed.into_iter().chain(last).collect::<Vec<_>>().into()
}
