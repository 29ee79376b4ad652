//! Deleted accounts.

use serde_json::json;

use super::fixture::{Fixture, wait};
use crate::{
    engine::Lang,
    service::{ServiceError, notify::NewHook, request::Request as _},
};

#[test]
fn nobody_is_told_by_what_was_being_added_meanwhile() {
    wait(async {
        let fixture = Fixture::new().await;
        let ada = fixture.session("Ada").await;
        let order =
            || NewHook::read(&json!({"url": "https://nobody.example", "format": "standard"})).unwrap();
        let service = &fixture.service;
        service.notifier.add_webhook(&ada, order(), Lang::En).await.unwrap();
        service.tables.leave_for_good(&ada.player).await.unwrap();
        let late = service.notifier.add_webhook(&ada, order(), Lang::En).await;
        assert!(matches!(late, Err(ServiceError::BadToken)));
        assert!(service.base.store.hooks_of_player(ada.player.key).await.unwrap().is_empty());
    });
}
