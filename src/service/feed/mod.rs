//! What is told to those who wait: only what is durable, in the order in which it became so.

mod hub;
mod inbox;
mod note;
mod notice;
mod presence;
mod stream;
mod told;

pub use hub::{Bulletin, Hub, Lobby, Said, Wait, Warning, Watched, Watching};
pub use inbox::{Heard, Inbox};
pub use note::{
    DeadlineNotice, InvitationNotice, MessageNotice, Note, RematchNotice, SubstitutionNotice, WebhookNotice,
};
pub use notice::{GameNotice, Notice, Position, SeatChange, SeatNotice, Tiding, TurnNotice};
pub use stream::{After, Next, Stream};
pub use told::Told;
