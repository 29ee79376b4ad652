//! The texts of the game.

use super::{Command, Count, EventView, View};
use crate::engine::{
    Lang, Pictured, Text, Viewer, Voice, Wording,
    catalogue::{Catalogue, Named, entries, seats},
    voice::say,
};
use crate::rulesets::board::OnBoard;

pub const COMMANDS: [Named; 1] = [("add", Text { en: "Add", it: "Aggiungi" })];

impl<const VERSION: u32> OnBoard for Count<VERSION> {}

impl<const VERSION: u32> Pictured for Count<VERSION> {}

impl<const VERSION: u32> Wording for Count<VERSION> {
    fn command(Command::Add { amount }: &Command, _: &View, voice: &Voice) -> String {
        say!(voice, "Add {amount}", "Aggiungi {amount}")
    }

    fn event(event: &EventView, voice: &Voice) -> String {
        match event {
            EventView::Started { seat } => {
                let name = voice.name(*seat);
                say!(voice, "{name} begins.", "Comincia {name}.")
            }
            EventView::Added { seat, amount } => {
                let name = voice.name(*seat);
                say!(voice, "{name} adds {amount}.", "{name} aggiunge {amount}.")
            }
            EventView::Finished { winner } => {
                let name = voice.name(*winner);
                say!(voice, "{name} wins.", "Vince {name}.")
            }
        }
    }

    fn prompt(view: &View, _: Viewer, voice: &Voice) -> String {
        let sum = view.sum;
        say!(voice, "The sum is {sum}.", "La somma è {sum}.")
    }

    fn catalogue(lang: Lang) -> Catalogue {
        Catalogue { commands: entries(&COMMANDS, lang), seats: seats(lang), ..Catalogue::default() }
    }
}
