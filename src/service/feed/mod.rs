//! What is told to those who wait: only what is durable, in the order in which it became so.

mod hub;
mod inbox;
mod notice;
mod stream;
mod told;

pub use hub::{Bulletin, Hub, Wait, Watched, Watching};
pub use inbox::Inbox;
pub use notice::{GameNotice, Notice, Position, Tiding, TurnNotice};
pub use stream::{After, Next, Stream};
pub use told::Told;
