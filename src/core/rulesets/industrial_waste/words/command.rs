//! Texts of commands.

use super::{
    super::{
        actions::order::ADVISOR_BONUS,
        command::Command,
        company::Direction,
        view::{CompanyView, View},
    },
    areas_of, card_name, cards_of, columns, loans, materials, mine, rows, with_advisor,
};
use crate::engine::{Voice, voice::say};

pub fn text(command: &Command, view: &View, voice: &Voice) -> String {
    match command {
        Command::TakeLoan { count } => {
            let (loans, cash) = (loans(*count, voice), count.saturating_mul(10));
            say!(
                voice,
                "Borrow {cash} ({loans}, \u{2212}{cash} points)",
                "Prendi {cash} in prestito ({loans}, \u{2212}{cash} punti)"
            )
        }
        Command::ChooseCombination { column } => {
            let place = usize::try_from(*column).unwrap_or(usize::MAX);
            let cards = view.offer.get(place).and_then(Option::as_ref);
            let cards = cards_of(cards.map(Vec::as_slice).unwrap_or_default(), voice);
            let number = column.saturating_add(1);
            say!(voice, "Take column {number}: {cards}", "Prendi il gruppo {number}: {cards}")
        }
        Command::Bid { amount } => say!(voice, "Bid {amount}", "Offri {amount}"),
        Command::Discard { card } => {
            let card = card_name(*card, voice.lang);
            say!(voice, "Discard {card} (no effect)", "Scarta {card} (nessun effetto)")
        }
        Command::SaveCard {} => {
            let card = mine(view).and_then(|mine| mine.cards.first());
            let card = card.map_or_else(|| "-".into(), |card| card_name(*card, voice.lang).to_owned());
            say!(voice, "Save {card} for the next round", "Conserva {card} per il prossimo round")
        }
        Command::RepayLoan {} => say!(voice, "Repay a loan: 10", "Estingui un prestito: 10"),
        Command::PassBid {} => say!(voice, "Pass", "Passa"),
        Command::Bribe {} => {
            let price = mine(view).map_or(0, |mine| mine.zone.fine() + 1);
            say!(
                voice,
                "Bribe: pay {price}, factory stays",
                "Paga una tangente: {price} in tutto, la fabbrica resta dov'è"
            )
        }
        Command::AcceptAccident {} => {
            let (fine, back) = mine(view).map_or((0, 0), |mine| (mine.zone.fine(), mine.zone.setback()));
            let back = columns(back.into(), voice);
            say!(
                voice,
                "Accept the accident: pay {fine}, factory {back} back",
                "Accetta l'incidente: paga {fine}, la fabbrica arretra di {back}"
            )
        }
        played => played_card(played, view, voice),
    }
}

/// Returns the text of a played card, alone or with an advisor.
fn played_card(command: &Command, view: &View, voice: &Voice) -> String {
    let Some((_, advisor)) = command.cards() else { return String::new() };
    let (one, with) = (1 + u64::from(advisor), with_advisor(advisor, voice));
    let company = mine(view);
    let lot = |company: &CompanyView| u64::from(company.needs.raw_materials) * one;
    match command {
        Command::SellMaterials { .. } => {
            let wanted = company.map_or(0, lot);
            let lot = materials(wanted.min(view.common_materials.into()), voice);
            say!(voice, "Put {lot} up for auction{with}", "Metti all'asta {lot}{with}")
        }
        Command::CompleteOrder { .. } => {
            let income =
                company.map_or(0, |mine| u64::from(mine.column)) + if advisor { ADVISOR_BONUS } else { 0 };
            let (needs, waste) =
                company.map_or((0, 0), |mine| (mine.needs.raw_materials, mine.needs.waste_reduction));
            let needs = materials(needs.into(), voice);
            say!(
                voice,
                "Complete an order{with}: {needs} for {income}, waste +{waste}",
                "Evadi un ordine{with}: {needs} per {income}, rifiuti +{waste}"
            )
        }
        Command::Grow { .. } => {
            let steps = columns(one, voice);
            say!(
                voice,
                "Grow{with}: {steps} to the right",
                "Fai crescere la fabbrica{with}: {steps} verso destra"
            )
        }
        Command::AdjustWorkforce { direction: Direction::Hire, .. } => {
            let steps = rows(one, voice);
            say!(voice, "Hire{with}: {steps} up", "Assumi{with}: {steps} in alto")
        }
        Command::AdjustWorkforce { direction: Direction::Fire, .. } => {
            let steps = rows(one, voice);
            say!(voice, "Fire{with}: {steps} down", "Licenzia{with}: {steps} in basso")
        }
        Command::Innovate { areas, .. } => {
            let (areas, cost) = (areas_of(areas, voice), 5 * one);
            say!(voice, "Innovate{with}: {areas}, for {cost}", "Innova{with}: {areas}, per {cost}")
        }
        Command::DisposeWaste { .. } => {
            let less = 3 * one;
            say!(voice, "Dispose of waste{with}: \u{2212}{less}", "Smaltisci i rifiuti{with}: \u{2212}{less}")
        }
        Command::RemoveWaste { .. } => say!(
            voice,
            "Remove waste{with}: \u{2212}{one} for you, +{one} for all others",
            "Elimina i rifiuti{with}: \u{2212}{one} a te, +{one} a tutti gli altri"
        ),
        _ => String::new(),
    }
}
