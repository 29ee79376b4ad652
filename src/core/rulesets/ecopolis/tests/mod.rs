//! The game held to its rules.

mod cases;
mod examples;
mod given;
mod golden;
mod machines;
mod specimen;
mod tables;
mod trades;
mod turns;
