//! What is told to those who wait: only what is durable, in the order in which it became so.

mod bell;
mod game_feed;
mod hub;
mod inbox;
mod listening;
mod note;
mod notice;
mod presence;
mod remote;
mod slice;
mod span;
mod stream;
mod told;

pub use bell::Bell;
pub use hub::{Bulletin, Hub, Ring, Said, Warning, Watched};
pub use inbox::{Heard, Inbox};
pub use listening::{Lobby, Wait, Watching};
pub use note::{
    AccountNotice, DeadlineNotice, InvitationNotice, MessageNotice, Note, RematchNotice, SubstitutionNotice,
    WebhookNotice,
};
pub use notice::{GameNotice, Notice, Position, SeatChange, SeatNotice, Tiding, TurnNotice, addressed};
pub use span::Span;
pub use stream::{After, Next, Stream};
pub use told::Told;
