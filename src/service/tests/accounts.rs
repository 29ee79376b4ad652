//! The component of accounts.

use serde_json::json;

use super::fixture::{Fixture, wait};
use crate::service::{
    Accounts, ServiceError,
    accounts::{NewName, NewPlayer, RecoveryCode, TokenOrder},
    request::Request as _,
};

#[test]
fn a_recovery_code_ends_the_tokens_and_works_once() {
    wait(async {
        let fixture = Fixture::new().await;
        let accounts = &fixture.service.accounts;
        let new = NewPlayer::read(&json!({"name": "Ada"})).unwrap();
        let made = accounts.create_player(new).await.unwrap();
        let old = Accounts::digest_of(&made.token);
        let code = RecoveryCode::read(&json!({ "code": made.recovery })).unwrap();
        let recovered = accounts.recover(&code).await.unwrap();
        let session = accounts.session(&Accounts::digest_of(&recovered.token)).await.unwrap();
        assert_eq!(session.player.id.to_string(), made.player.id);
        assert!(matches!(accounts.session(&old).await, Err(ServiceError::BadToken)));
        assert!(matches!(accounts.recover(&code).await, Err(ServiceError::WrongCode)));
    });
}

#[test]
fn a_new_name_is_seen_at_once_in_games_and_sessions() {
    wait(async {
        let fixture = Fixture::new().await;
        let (ada, bob) = (fixture.player("Ada").await, fixture.player("Bob").await);
        let game = fixture.game_of([&ada, &bob]).await;
        let name = NewName::read(&json!({"name": "Grace"})).unwrap();
        fixture.service.accounts.rename(&ada, name).await.unwrap();
        let view = serde_json::to_value(fixture.service.reading.game(game, None).await.unwrap()).unwrap();
        assert_eq!(view["seats"][0]["player"]["name"], "Grace");
    });
}

#[test]
fn a_token_ends_at_its_time() {
    wait(async {
        let fixture = Fixture::new().await;
        let ada = fixture.session("Ada").await;
        let accounts = &fixture.service.accounts;
        let order = json!({"name": "bot", "scopes": ["read"], "expires_at": "2027-01-15T08:01:00Z"});
        let made = accounts.make_token(&ada, TokenOrder::read(&order).unwrap()).await.unwrap();
        let digest = Accounts::digest_of(&made.token);
        assert!(accounts.session(&digest).await.is_ok());
        fixture.clock.advance(61_000);
        assert!(matches!(accounts.session(&digest).await, Err(ServiceError::BadToken)));
    });
}
