//! The texts of notifications.

use crate::{
    engine::{
        Lang::{self, En, It},
        Seat, Viewer, Voice,
        voice::say,
    },
    service::{
        feed::{NoticeKind, SeatChange},
        games::{LiveGame, Player},
        reading::{prompt, table_event::TableEvent},
    },
    words::Ending,
};

/// Returns the text for an entry, as `viewer` may see the game.
pub fn of_tiding(kind: NoticeKind, live: &LiveGame, viewer: Viewer, voice: &Voice) -> String {
    let closed = |end: Ending| {
        prompt::of_event(&TableEvent::TableClosed { void: end == Ending::Void, end, reason: None }, voice)
    };
    match kind {
        NoticeKind::Turn(_) | NoticeKind::Sealed => prompt::text(&live.game, viewer, voice),
        NoticeKind::Started => {
            say!(voice, "The game has started.", "La partita è iniziata.")
        }
        NoticeKind::Void => closed(Ending::Void),
        NoticeKind::Finished => closed(Ending::Finished),
        NoticeKind::Autopilot(seat) if viewer.is(seat) => {
            say!(voice, "The autopilot now plays for you.", "Ora il pilota automatico gioca per te.")
        }
        NoticeKind::Autopilot(seat) => prompt::of_event(&TableEvent::AutopilotTookOver { seat }, voice),
        NoticeKind::Seat(seat, change) => prompt::of_event(&of_seat(seat, change), voice),
    }
}

const fn of_seat(seat: Seat, change: SeatChange) -> TableEvent {
    match change {
        SeatChange::Taken => TableEvent::SeatTaken { seat, entropy_promised: false },
        SeatChange::Left => TableEvent::SeatLeft { seat },
        SeatChange::Resigned => TableEvent::SeatResigned { seat },
        SeatChange::Removed => TableEvent::SeatRemoved { seat, reason: None },
        // The text uses the present name of the seat's player.
        SeatChange::Substituted => TableEvent::SeatHanded { seat, player: String::new() },
    }
}

/// Returns the warning that a quarter of the time is left.
pub fn deadline(lang: Lang) -> String {
    match lang {
        En => "A quarter of your time is left. After the deadline the autopilot moves for you.".to_owned(),
        It => "Ti resta un quarto del tempo. Dopo la scadenza il pilota automatico muove per te.".to_owned(),
    }
}

/// Returns the text for a hook that was turned off.
pub fn end(lang: Lang, name: &str) -> String {
    match lang {
        En => format!("The webhook “{name}” stopped answering and was turned off."),
        It => format!("Il webhook «{name}» non rispondeva più ed è stato disattivato."),
    }
}

/// Returns the test message. For a person it contains the code to enter.
pub fn test(lang: Lang, code: &str) -> String {
    match lang {
        En => {
            format!("This is a test. To get notifications here, enter this code where you set it up: {code}")
        }
        It => format!(
            "Questa è una prova. Per ricevere qui gli avvisi, inserisci questo codice dove li hai attivati: {code}"
        ),
    }
}

/// Returns the text for a player who asks for the reader's seat.
pub fn substitution(lang: Lang, by: &Player) -> String {
    let name = name(by);
    match lang {
        En => format!("{name} wants to take over your seat. Do you agree?"),
        It => format!("{name} vuole subentrare al tuo posto. Sei d'accordo?"),
    }
}

pub fn rematch(lang: Lang, by: &Player) -> String {
    let name = name(by);
    match lang {
        En => format!("{name} wants a rematch. Your seat is reserved."),
        It => format!("{name} vuole la rivincita. Il tuo posto è riservato."),
    }
}

/// Returns the text for a new device of the reader.
pub fn device(lang: Lang) -> String {
    match lang {
        En => "A device was linked to your account. If it is not yours, revoke it in the settings.",
        It => "Un dispositivo è stato collegato al tuo account. Se non è tuo, revocalo nelle impostazioni.",
    }
    .to_owned()
}

/// Returns the text for a new key of the reader's seat, which no earlier key consented to.
pub fn rekey(lang: Lang) -> String {
    match lang {
        En => "Your seat got a new key without the consent of the earlier one. If it was not you, get a new recovery code.",
        It => "Il tuo posto ha una nuova chiave senza il consenso della precedente. Se non sei stato tu, richiedi un nuovo codice di recupero.",
    }
    .to_owned()
}

pub fn invitation(lang: Lang, by: &Player) -> String {
    let name = name(by);
    match lang {
        En => format!("{name} invites you to a game."),
        It => format!("{name} ti invita a una partita."),
    }
}

fn name(player: &Player) -> &str {
    player.name.as_deref().unwrap_or("?")
}

/// Returns the subject of an email with several notifications.
pub fn several(lang: Lang, count: usize) -> String {
    match lang {
        En => format!("{count} updates from your games"),
        It => format!("{count} novità dalle tue partite"),
    }
}

/// Returns the sentence for the notifications that an email leaves out.
pub fn more(lang: Lang, count: usize) -> Option<String> {
    (count > 0).then(|| match lang {
        En => format!("… and {count} more."),
        It => format!("… e altre {count}."),
    })
}

pub fn unsubscribe(lang: Lang) -> String {
    match lang {
        En => "Unsubscribe:".to_owned(),
        It => "Annulla l'iscrizione:".to_owned(),
    }
}

/// Returns the request to confirm an address. It contains no word that a player chose.
pub fn confirm(lang: Lang) -> String {
    match lang {
        En => "Someone wants to receive turn notifications at this address. If it was you, open this link to confirm. If not, ignore this mail; nothing else will be sent.".to_owned(),
        It => "Qualcuno vuole ricevere a questo indirizzo gli avvisi di turno. Se sei tu, apri questo link per confermare. Altrimenti ignora questa email: non ne riceverai altre.".to_owned(),
    }
}

/// Returns the test message of a browser.
pub fn welcome(lang: Lang) -> String {
    match lang {
        En => "Notifications work. This browser will tell you when it is your turn.".to_owned(),
        It => "Le notifiche funzionano. Questo browser ti avviserà quando è il tuo turno.".to_owned(),
    }
}
