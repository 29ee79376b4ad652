//! The component of notifications.

use serde_json::json;

use super::fixture::{Fixture, wait};
use crate::{
    engine::Lang,
    service::{ServiceError, notify::NewHook, reading::page::Window, request::Request as _},
};

#[test]
fn a_new_webhook_is_sent_its_test_and_nothing_else_before_it_is_proved() {
    wait(async {
        let fixture = Fixture::new().await;
        let (ada, bob) = (fixture.session("Ada").await, fixture.player("Bob").await);
        let notifier = &fixture.service.notifier;
        let new = json!({"url": "https://example.com/hook", "format": "standard"});
        let hook = NewHook::read(&new).unwrap();
        notifier.add_webhook(&ada, hook, Lang::En).await.unwrap();
        assert_eq!(notifier.outbox.waiting(), 1, "the test is due");
        fixture.game_of([&ada.player, &bob]).await;
        let store = &fixture.service.base.store;
        let row = store.hooks().await.unwrap().pop().unwrap();
        let due = store.deliveries(row.key, None, 10).await;
        let messages: Vec<String> = due.unwrap().into_iter().map(|delivery| delivery.message).collect();
        assert_eq!(messages.len(), 1, "{messages:?}");
    });
}

#[test]
fn webhooks_have_a_bound_and_belong_to_their_owner() {
    wait(async {
        let fixture = Fixture::new().await;
        let (ada, bob) = (fixture.session("Ada").await, fixture.player("Bob").await);
        let notifier = &fixture.service.notifier;
        let mut refused = None;
        for number in 0..100 {
            let new = json!({"url": format!("https://example.com/{number}"), "format": "ntfy"});
            let hook = NewHook::read(&new).unwrap();
            if let Err(error) = notifier.add_webhook(&ada, hook, Lang::En).await {
                refused = Some(error);
                break;
            }
        }
        assert!(matches!(refused, Some(ServiceError::TooManyWebhooks(_))));
        let window = Window { limit: 50, cursor: None };
        assert!(notifier.webhooks(None, &bob, &window).await.unwrap().items.is_empty());
        assert!(!notifier.webhooks(None, &ada.player, &window).await.unwrap().items.is_empty());
    });
}
