//! Texts of a table: what it waits for, and what happened before the rules begin and after they end.

use super::table_event::TableEvent;
use crate::{
    engine::{Seat, Viewer, Voice, voice::say},
    ledger::game::Game,
    words::{Ending, Share, Status},
};

/// Returns what a viewer must do, or whom the table waits for.
pub fn text(game: &Game, viewer: Viewer, voice: &Voice) -> String {
    match (game.status(), &game.table) {
        (Status::Open, _) => {
            let free = game.setting.seats.iter().filter(|seat| game.sitting(*seat).is_none()).count();
            if free == 0 {
                return say!(voice, "The table is full.", "Il tavolo è completo.");
            }
            let players = voice.count(
                free as u64,
                ("more player", "more players"),
                ("altro giocatore", "altri giocatori"),
            );
            say!(voice, "Waiting for {players}.", "In attesa di {players}.")
        }
        (Status::Sealed, _) => {
            let owing: Vec<Seat> = waits_for(game);
            let names = voice.seats(owing.iter().copied());
            if owing.is_empty() {
                say!(voice, "The table is full. The game starts.", "Il tavolo è completo. La partita inizia.")
            } else if owing.iter().any(|seat| viewer.is(*seat)) {
                say!(
                    voice,
                    "The table is full: reveal your random bytes. Waiting for {names}.",
                    "Il tavolo è completo: rivela i tuoi byte casuali. In attesa di {names}."
                )
            } else {
                say!(
                    voice,
                    "The table is full. Waiting for the random bytes of {names}.",
                    "Il tavolo è completo. In attesa dei byte casuali di {names}."
                )
            }
        }
        (Status::Void, _) => say!(voice, "This game was cancelled.", "Questa partita è stata annullata."),
        (Status::Running, Some(_)) if game.clocks.is_paused() => {
            say!(voice, "The game is paused.", "La partita è in pausa.")
        }
        (Status::Finished, Some(table)) if table.to_act().is_some() => {
            say!(voice, "The game is over.", "La partita è finita.")
        }
        (Status::Running | Status::Finished, Some(table)) => table.prompt(viewer, voice),
        (Status::Running | Status::Finished, None) => String::new(),
    }
}

/// Returns the seats that still owe random bytes to a sealed table.
pub fn waits_for(game: &Game) -> Vec<Seat> {
    let owes = |seat: &Seat| game.sitting(*seat).is_some_and(|sitting| sitting.share() == Share::Promised);
    if game.status() == Status::Sealed {
        game.setting.seats.iter().filter(owes).collect()
    } else {
        Vec::new()
    }
}

/// Returns the sentence for the end of a game.
fn of_end(end: Ending, reason: Option<&str>, voice: &Voice) -> String {
    match end {
        Ending::Finished => say!(voice, "The game is over.", "La partita è finita."),
        Ending::Resigned => {
            say!(
                voice,
                "The game is over: all others resigned.",
                "La partita è finita: gli altri hanno abbandonato."
            )
        }
        Ending::Abandoned => {
            say!(voice, "The game is over: everyone left.", "La partita è finita: tutti l'hanno lasciata.")
        }
        Ending::Void => say!(voice, "The game was cancelled.", "La partita è stata annullata."),
        Ending::Halted => {
            let why = said(reason, voice);
            say!(
                voice,
                "The operator of the server ended the game.{why}",
                "Il gestore del server ha chiuso la partita.{why}"
            )
        }
    }
}

/// Returns a public text of the operator, to follow a sentence.
fn said(text: Option<&str>, voice: &Voice) -> String {
    text.map_or_else(String::new, |text| say!(voice, " “{text}”", " «{text}»"))
}

/// Returns the sentence for a table event.
pub fn of_event(event: &TableEvent, voice: &Voice) -> String {
    let name = |seat: &Seat| voice.name(*seat);
    match event {
        TableEvent::TableOpened {} => say!(voice, "The table is open.", "Il tavolo è aperto."),
        TableEvent::SeatTaken { seat, entropy_promised: true } => {
            let name = name(seat);
            say!(
                voice,
                "{name} joined and contributes to the shuffle.",
                "{name} si unisce e partecipa al mescolamento."
            )
        }
        TableEvent::SeatTaken { seat, entropy_promised: false } => {
            let name = name(seat);
            say!(voice, "{name} joined.", "{name} si unisce.")
        }
        TableEvent::SeatLeft { seat } => {
            say!(voice, "Seat {seat} is free again.", "Il posto {seat} è di nuovo libero.")
        }
        TableEvent::TableSealed {} => {
            say!(voice, "The table is full.", "Il tavolo è completo.")
        }
        TableEvent::EntropyRevealed { seat } => {
            let name = name(seat);
            say!(voice, "{name} contributed to the shuffle.", "{name} ha contribuito al mescolamento.")
        }
        TableEvent::SeatResigned { seat } => {
            let name = name(seat);
            say!(voice, "{name} resigned.", "{name} abbandona la partita.")
        }
        TableEvent::AutopilotTookOver { seat } => {
            let name = name(seat);
            say!(voice, "The autopilot plays for {name}.", "Il pilota automatico gioca per {name}.")
        }
        TableEvent::PlayerResumed { seat } => {
            let name = name(seat);
            say!(voice, "{name} took the seat back.", "{name} riprende il posto.")
        }
        TableEvent::KeysRevoked { seat } => {
            let name = name(seat);
            say!(voice, "{name} revoked a key.", "{name} revoca una chiave.")
        }
        TableEvent::Rekeyed { seat, has_key: true } => {
            let name = name(seat);
            say!(
                voice,
                "{name} has a new key, on the server's word alone.",
                "{name} ha una nuova chiave, sulla sola parola del server."
            )
        }
        TableEvent::Rekeyed { seat, has_key: false } => {
            let name = name(seat);
            say!(voice, "{name} goes on without a key.", "{name} prosegue senza chiave.")
        }
        TableEvent::SeatRemoved { seat, reason } => {
            let (name, why) = (name(seat), said(reason.as_deref(), voice));
            say!(
                voice,
                "The operator of the server removed {name} from the game.{why}",
                "Il gestore del server ha escluso {name} dalla partita.{why}"
            )
        }
        TableEvent::Outage { ms } => {
            let minutes = ms.div_ceil(60_000);
            say!(
                voice,
                "The server was out of reach for {minutes} min. This time does not count.",
                "Il server non era raggiungibile per {minutes} min. Questo tempo non conta."
            )
        }
        TableEvent::SeatHanded { seat, .. } => {
            let name = name(seat);
            say!(voice, "{name} took over the seat.", "{name} subentra.")
        }
        TableEvent::TakenBack { seat, .. } => {
            let name = name(seat);
            say!(voice, "{name} took back moves.", "{name} annulla le sue mosse.")
        }
        TableEvent::PauseAsked { seat } => {
            let name = name(seat);
            say!(voice, "{name} asks for a pause.", "{name} chiede una pausa.")
        }
        TableEvent::PauseEnded { seat } => {
            let name = name(seat);
            say!(voice, "{name} wants to go on.", "{name} vuole riprendere.")
        }
        TableEvent::TableClosed { end, reason, .. } => of_end(*end, reason.as_deref(), voice),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::engine::{Lang, Seats};

    /// Every table event, at the second seat where it has one.
    fn all(seat: Seat) -> Vec<TableEvent> {
        let taken = [false, true].map(|entropy_promised| TableEvent::SeatTaken { seat, entropy_promised });
        let closed = Ending::ALL.iter().map(|end| TableEvent::TableClosed {
            void: *end == Ending::Void,
            end: *end,
            reason: None,
        });
        let others = [
            TableEvent::TableOpened {},
            TableEvent::SeatLeft { seat },
            TableEvent::TableSealed {},
            TableEvent::EntropyRevealed { seat },
            TableEvent::SeatResigned { seat },
            TableEvent::AutopilotTookOver { seat },
            TableEvent::PlayerResumed { seat },
            TableEvent::KeysRevoked { seat },
            TableEvent::Rekeyed { seat, has_key: true },
            TableEvent::Rekeyed { seat, has_key: false },
            TableEvent::SeatRemoved { seat, reason: None },
            TableEvent::Outage { ms: 300_000 },
            TableEvent::SeatHanded { seat, player: String::new() },
            TableEvent::TakenBack { seat, to: 3 },
            TableEvent::PauseAsked { seat },
            TableEvent::PauseEnded { seat },
        ];
        taken.into_iter().chain(closed).chain(others).collect()
    }

    /// A reader of a table's log must learn what happened to whom, in either language.
    #[test]
    fn what_happens_at_a_table_has_a_sentence_of_its_own() {
        let seats = Seats::new(2).unwrap();
        let seat = seats.seat(1).unwrap();
        let events = all(seat);
        let mut said = BTreeSet::new();
        for lang in Lang::ALL {
            let voice =
                Voice::new(lang, seats, |seat| Some(["Ada", "Bob"][usize::from(seat.number())].into()));
            for event in &events {
                let text = of_event(event, &voice);
                let of_seat = serde_json::to_value(event).unwrap().get("seat").is_some();
                assert_eq!(text.contains("Bob") || text.contains('1'), of_seat, "{text}");
                assert!(text.ends_with('.') && !text.contains("Ada") && said.insert(text.clone()), "{text}");
            }
        }
        assert_eq!(said.len(), events.len() * Lang::ALL.len());
    }
}
