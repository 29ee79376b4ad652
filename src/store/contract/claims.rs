//! Idempotency keys.

use super::Contract;
use crate::store::{
    Change, ClaimOutcome, Kept, KeptAnswer, NewClaim, PlayerKey, StoreError, Write,
    testing::{append_of, append_under, claim, entry},
};

/// The outcome of a request under this key.
fn found(fixture: &Contract, player: PlayerKey, claim: &NewClaim) -> Option<Kept> {
    let found: Option<ClaimOutcome> =
        fixture.ask(fixture.store.claim(player, &claim.digest[0].to_string(), claim));
    found.map(|claim| {
        assert_eq!(claim.fingerprint, [4; 16]);
        claim.kept
    })
}

fn refuse(fixture: &Contract, player: PlayerKey, claim: NewClaim, body: &[u8]) -> Result<(), StoreError> {
    let refusal = KeptAnswer { player, key: claim.digest[0].to_string(), claim, body: body.to_vec() };
    fixture.write(Write::of(Change::KeepAnswer(refusal)))
}

#[test]
fn a_refusal_is_kept_once_until_it_is_old() {
    let fixture = Contract::new();
    let player = fixture.player(1);
    refuse(&fixture, player, claim(1, 100, 0), b"first").unwrap();
    let second = refuse(&fixture, player, claim(1, 150, 50), b"second");
    assert!(matches!(second, Err(StoreError::ClaimStands)));
    assert_eq!(found(&fixture, player, &claim(1, 150, 50)), Some(Kept::Body(b"first".to_vec())));
    assert_eq!(found(&fixture, player, &claim(1, 201, 101)), None, "too old");
    refuse(&fixture, player, claim(1, 300, 101), b"second").unwrap();
    assert_eq!(found(&fixture, player, &claim(1, 300, 101)), Some(Kept::Body(b"second".to_vec())));
}

#[test]
fn what_is_old_is_forgotten() {
    let fixture = Contract::new();
    let player = fixture.player(1);
    for (key, at) in [(1, 10), (2, 20), (3, 30)] {
        refuse(&fixture, player, claim(key, at, 0), b"").unwrap();
    }
    fixture.ask(fixture.store.forget_claims(25));
    let kept = [1, 2, 3].map(|key| found(&fixture, player, &claim(key, 40, 0)).is_some());
    assert_eq!(kept, [false, false, true]);
}

#[test]
fn a_claim_and_its_entry_stand_and_fall_together() {
    let fixture = Contract::new();
    let player = fixture.player(1);
    let game = fixture.game(player);
    fixture.append(game, 0..1).unwrap();
    assert!(fixture.write(append_under(game, 0..1, 0, claim(1, 9, 0))).is_err());
    assert_eq!(found(&fixture, player, &claim(1, 9, 0)), None);
    fixture.write(append_under(game, 1..3, 1, claim(1, 9, 0))).unwrap();
    let again = fixture.write(append_under(game, 3..4, 3, claim(1, 10, 0)));
    assert!(matches!(again, Err(StoreError::ClaimStands)));
    assert_eq!(fixture.entries(game).len(), 3);
    fixture.write(append_under(game, 3..4, 3, claim(1, 110, 10))).unwrap();
}

#[test]
fn of_two_in_one_transaction_under_one_key_one_is_written() {
    let fixture = Contract::new();
    let player = fixture.player(1);
    let games = [fixture.game(player), fixture.game(player)];
    let write = |game| {
        let append = Change::Append { game, entries: vec![entry(0)], claim: Some((0, claim(7, 1, 0))) };
        fixture.store.write(Write::of(append))
    };
    let outcomes = games.map(write).map(|written| fixture.wait(written));
    let refused = outcomes.iter().position(Result::is_err).unwrap();
    assert!(matches!(outcomes[refused], Err(StoreError::ClaimStands)), "{outcomes:?}");
    assert!(outcomes[1 - refused].is_ok(), "{outcomes:?}");
    fixture.write(Write::of(append_of(games[refused], vec![entry(0)]))).unwrap();
}
