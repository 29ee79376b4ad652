//! Telling those who are not here. What is to be sent is written with the change of which it tells, so that a stop at any
//! point loses none of it; the postman sends it, as often as it takes.

mod digest;
mod format;
mod item;
mod mailbox;
mod manage;
mod post;
mod postman;
mod push;
mod quiet;
mod register;
mod request;
mod retry;
mod schedule;
mod settings;
mod view;
mod ways;
mod welcome;
pub mod words;

pub use digest::escaped_html;
pub use item::About;
pub use mailbox::MailView;
pub use manage::HookOf;
pub use post::{Letters, Post};
pub use request::{HookChanges, MailCode, NewHook, NewMail, NewPush, Quiet, WebhookFormat};
pub use view::{DeliveryView, HookView, HooksView, NewHookView};
pub use ways::{Notifications, PushView};
