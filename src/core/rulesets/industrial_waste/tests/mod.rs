//! The game held to its rules.

mod autopilot;
mod cases;
mod examples;
mod given;
mod golden;
mod specimen;
