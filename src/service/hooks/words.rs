//! What is told, in words.

use crate::{
    engine::{
        Lang::{self, En, It},
        Seat, Viewer, Voice,
        voice::say,
    },
    service::{
        feed::{SeatChange, Tiding},
        game::{LiveGame, Player},
        read::{event_item::TableEvent, prompt},
    },
    words::{Ending, Status},
};

/// What an entry meant, for somebody who sees the game so.
pub fn of_tiding(tiding: Tiding, live: &LiveGame, viewer: Viewer, voice: &Voice) -> String {
    let closed =
        |end: Ending| prompt::of_event(&TableEvent::TableClosed { void: end == Ending::Void, end }, voice);
    match tiding {
        Tiding::Turn(_) | Tiding::Sealed => prompt::text(&live.game, viewer, voice),
        Tiding::Started | Tiding::Game(Status::Running) => {
            say!(voice, "The game has begun.", "La partita è cominciata.")
        }
        Tiding::Void | Tiding::Game(Status::Void) => closed(Ending::Void),
        Tiding::Finished | Tiding::Game(_) => closed(Ending::Finished),
        Tiding::Autopilot(seat) if viewer.is(seat) => {
            say!(voice, "The autopilot plays your seat now.", "Ora il tuo posto è del pilota automatico.")
        }
        Tiding::Autopilot(seat) => prompt::of_event(&TableEvent::AutopilotTookOver { seat }, voice),
        Tiding::Seat(seat, change) => prompt::of_event(&of_seat(seat, change), voice),
    }
}

/// What became of a seat, as it stands in the log.
const fn of_seat(seat: Seat, change: SeatChange) -> TableEvent {
    match change {
        SeatChange::Taken => TableEvent::SeatTaken { seat, entropy_promised: false },
        SeatChange::Left => TableEvent::SeatLeft { seat },
        SeatChange::Resigned => TableEvent::SeatResigned { seat },
        // Who it is is told by the name that the seat has now.
        SeatChange::Substituted => TableEvent::SeatHanded { seat, player: String::new() },
    }
}

/// That a quarter of the time is left.
pub fn deadline(lang: Lang) -> String {
    match lang {
        En => "A quarter of the time is left: the autopilot plays after the deadline.".to_owned(),
        It => "Resta un quarto del tempo: dopo la scadenza gioca il pilota automatico.".to_owned(),
    }
}

/// That a hook is off.
pub fn end(lang: Lang, name: &str) -> String {
    match lang {
        En => format!("The webhook “{name}” did not answer any more, and is off."),
        It => format!("Il webhook “{name}” non rispondeva più, ed è spento."),
    }
}

/// What a hook is tried with. Where it is read by a person, it shows the code that is to be typed back.
pub fn test(lang: Lang, code: &str) -> String {
    match lang {
        En => {
            format!("This is a test. If you want to be told here, type this code where you set it up: {code}")
        }
        It => format!(
            "Questa è una prova. Se vuoi essere avvisato qui, riporta questo codice dove l'hai impostato: {code}"
        ),
    }
}

/// That somebody asks for the reader's seat.
pub fn substitution(lang: Lang, by: &Player) -> String {
    let name = name(by);
    match lang {
        En => format!("{name} would take your seat over. Do you agree?"),
        It => format!("{name} subentrerebbe al tuo posto. Sei d'accordo?"),
    }
}

pub fn rematch(lang: Lang, by: &Player) -> String {
    let name = name(by);
    match lang {
        En => format!("{name} asks for a rematch: your seat is kept."),
        It => format!("{name} chiede la rivincita: il tuo posto è riservato."),
    }
}

pub fn invitation(lang: Lang, by: &Player) -> String {
    let name = name(by);
    match lang {
        En => format!("{name} invites you to a table."),
        It => format!("{name} ti invita a un tavolo."),
    }
}

fn name(player: &Player) -> &str {
    player.name.as_deref().unwrap_or("?")
}

/// The subject of a mail about several things.
pub fn several(lang: Lang, count: usize) -> String {
    match lang {
        En => format!("{count} things wait for you"),
        It => format!("{count} cose ti aspettano"),
    }
}

/// That a mail does not tell of all.
pub fn more(lang: Lang, count: usize) -> Option<String> {
    (count > 0).then(|| match lang {
        En => format!("… and {count} more."),
        It => format!("… e altre {count}."),
    })
}

pub fn unsubscribe(lang: Lang) -> String {
    match lang {
        En => "No more mails like this:".to_owned(),
        It => "Per non ricevere più queste mail:".to_owned(),
    }
}

/// What asks whether an address is the player's. No word in it is one that a player has chosen.
pub fn confirm(lang: Lang) -> String {
    match lang {
        En => "Somebody wants to be told here when it is their turn. If that was you, open this link; if not, do nothing, and you will hear no more.".to_owned(),
        It => "Qualcuno vuole essere avvisato qui quando è il suo turno. Se sei tu, apri questo link; altrimenti non fare nulla, e non sentirai altro.".to_owned(),
    }
}

/// What a browser is tried with.
pub fn welcome(lang: Lang) -> String {
    match lang {
        En => "This browser will tell you when it is your turn.".to_owned(),
        It => "Questo browser ti avviserà quando è il tuo turno.".to_owned(),
    }
}
