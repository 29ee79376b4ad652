//! Messages to addresses that users named. None of them can reach the operator's own network.

mod address;
mod allowed;
mod https;
mod mail;
mod names;
mod target;
mod witness;

pub use allowed::Allowed;
pub use https::Outbound;
pub use mail::Mailer;
pub use witness::WitnessAt;
