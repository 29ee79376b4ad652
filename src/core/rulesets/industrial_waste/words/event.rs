//! Texts of events.

use super::{
    super::{cards::Kind, company::Zone, event::EventView, scoring::Outcome},
    areas_of, card_name, cards_of, loans, materials, with_advisor, zone_name,
};
use crate::engine::{
    Seat, Voice,
    voice::{printed, say},
};

pub fn text(event: &EventView, voice: &Voice) -> String {
    use EventView as E;
    let card = |card: &Kind| card_name(*card, voice.lang);
    let name = |seat: &Seat| voice.name(*seat);
    match event {
        E::GameStarted { starting_seat } => {
            let name = name(starting_seat);
            say!(voice, "The game starts. {name} goes first.", "La partita inizia. Comincia {name}.")
        }
        E::RoundStarted { round, starting_seat, final_round } => {
            let name = name(starting_seat);
            if *final_round {
                say!(
                    voice,
                    "Round {round}, the last. {name} goes first.",
                    "Round {round}, l'ultimo. Comincia {name}."
                )
            } else {
                say!(voice, "Round {round}. {name} goes first.", "Round {round}. Comincia {name}.")
            }
        }
        E::SupplyShuffled { cards } => {
            say!(
                voice,
                "{cards} cards are shuffled into a new supply.",
                "{cards} carte mescolate formano un nuovo mazzo."
            )
        }
        E::CardDealt { column, card: dealt } => {
            let (card, column) = (card(dealt), column + 1);
            say!(voice, "Column {column}: {card}.", "Gruppo {column}: {card}.")
        }
        E::DuplicateDiscarded { column, card: dealt } => {
            let (card, column) = (card(dealt), column + 1);
            say!(
                voice,
                "Column {column}: a second {card} is discarded.",
                "Gruppo {column}: una seconda carta {card} va negli scarti."
            )
        }
        E::AccidentDrawn {} => say!(voice, "Accident!", "Incidente!"),
        E::AccidentSettled { seat, zone, paid, bribed, column } => {
            accident_text(name(seat), *zone, *paid, *bribed, *column, voice)
        }
        E::AccidentEnded {} => say!(voice, "The accident is over.", "L'incidente è finito."),
        E::OfferCompleted {} => {
            say!(voice, "All columns are on offer.", "Tutti i gruppi sono disponibili.")
        }
        E::TurnBegan { seat } => {
            let (name, to) = (name(seat), voice.to(*seat));
            say!(voice, "{name}'s turn.", "Tocca {to}.")
        }
        E::FinalRoundReached { seat } => {
            let name = name(seat);
            say!(
                voice,
                "{name} reached column 20: this is the last round.",
                "{name} raggiunge la colonna 20: questo è l'ultimo round."
            )
        }
        E::BasicCostsPaid { seat, amount } => {
            let name = name(seat);
            say!(voice, "{name} paid basic costs of {amount}.", "{name} paga {amount} di costi di base.")
        }
        E::AccidentReturned {} => {
            say!(voice, "The accident is shuffled back into the supply.", "L'incidente torna nel mazzo.")
        }
        E::FinalAccidentBegan {} => {
            say!(voice, "Final accident for everyone.", "Incidente finale per tutti.")
        }
        E::GameFinished { result } => winners(result, voice),
        of_a_card => card_text(of_a_card, voice),
    }
}

/// Returns the text of moved cards.
fn card_text(event: &EventView, voice: &Voice) -> String {
    use EventView as E;
    let card = |card: &Kind| card_name(*card, voice.lang);
    let name = |seat: &Seat| voice.name(*seat);
    match event {
        E::CombinationChosen { seat, column, cards } => {
            let (name, cards, column) = (name(seat), cards_of(cards, voice), column + 1);
            say!(voice, "{name} took column {column}: {cards}.", "{name} prende il gruppo {column}: {cards}.")
        }
        E::LastColumnDiscarded { column, cards } => {
            let (cards, column) = (cards_of(cards, voice), column + 1);
            say!(
                voice,
                "Column {column} was left over: {cards} discarded.",
                "Resta il gruppo {column}: {cards} negli scarti."
            )
        }
        E::SavedCardTurnedUp { seat, card: saved } => {
            let (name, card) = (name(seat), card(saved));
            say!(voice, "{name} uses the saved card: {card}.", "{name} scopre la carta conservata: {card}.")
        }
        E::CardDiscarded { seat, card: discarded } => {
            let (name, card) = (name(seat), card(discarded));
            say!(voice, "{name} discarded {card}.", "{name} scarta {card}.")
        }
        E::CardSaved { seat, card: saved } => {
            let (name, card) = (name(seat), card(saved));
            say!(
                voice,
                "{name} saved {card} for the next round.",
                "{name} conserva {card} per il prossimo round."
            )
        }
        deed => deed_text(deed, voice),
    }
}

fn accident_text(name: &str, zone: Zone, paid: u64, bribed: bool, column: u8, voice: &Voice) -> String {
    let zone_name = zone_name(zone, voice.lang);
    match (zone, bribed) {
        (Zone::Green, _) => {
            say!(voice, "{name}'s waste is {zone_name}: no damage.", "{name} è in {zone_name}: nessun danno.")
        }
        (_, true) => say!(
            voice,
            "{name}'s waste is {zone_name}: paid {paid} with a bribe, factory stays in column {column}.",
            "{name} è in {zone_name}: paga {paid} con una tangente, la fabbrica resta nella colonna {column}."
        ),
        (_, false) => say!(
            voice,
            "{name}'s waste is {zone_name}: paid {paid}, factory back to column {column}.",
            "{name} è in {zone_name}: paga {paid}, la fabbrica arretra alla colonna {column}."
        ),
    }
}

/// Returns the text of a payment or a played card.
fn deed_text(event: &EventView, voice: &Voice) -> String {
    use EventView as E;
    let name = |seat: &Seat| voice.name(*seat);
    let with = |advisor: &bool| with_advisor(*advisor, voice);
    match event {
        E::LoansTaken { seat, count, forced } => {
            let (name, loans) = (name(seat), loans(*count, voice));
            if *forced {
                say!(voice, "{name} had to take {loans}.", "{name} deve prendere {loans}.")
            } else {
                say!(voice, "{name} took {loans}.", "{name} prende {loans}.")
            }
        }
        E::OrderCompleted { seat, advisor, materials: used, income, waste } => {
            let (name, used, with) = (name(seat), materials((*used).into(), voice), with(advisor));
            say!(
                voice,
                "{name} completed an order{with}: {used} for {income}. Waste: {waste}.",
                "{name} evade un ordine{with}: {used} per {income}. Rifiuti: {waste}."
            )
        }
        E::FactoryGrew { seat, advisor, column } => {
            let (name, with) = (name(seat), with(advisor));
            say!(
                voice,
                "{name} grew{with}: column {column}.",
                "La fabbrica di {name} cresce{with}: colonna {column}."
            )
        }
        E::WorkforceAdjusted { seat, advisor, row } => {
            let (name, with) = (name(seat), with(advisor));
            say!(
                voice,
                "{name} changed the workforce{with}: row {row}.",
                "{name} assume o licenzia{with}: riga {row}."
            )
        }
        E::AreasImproved { seat, advisor, areas, cost } => {
            let (name, areas, with) = (name(seat), areas_of(areas, voice), with(advisor));
            say!(
                voice,
                "{name} innovated{with}: {areas}, for {cost}.",
                "{name} innova{with}: {areas}. Paga {cost}."
            )
        }
        E::WasteDisposed { seat, advisor, waste } => {
            let (name, with) = (name(seat), with(advisor));
            say!(
                voice,
                "{name} disposed of waste{with}: {waste} left.",
                "{name} smaltisce rifiuti{with}: ne restano {waste}."
            )
        }
        E::WasteRemoved { seat, advisor } => {
            let (name, with, count) = (name(seat), with(advisor), 1 + u8::from(*advisor));
            say!(
                voice,
                "{name} removed {count} waste{with}; +{count} for all others.",
                "{name} elimina rifiuti{with}: \u{2212}{count}, +{count} a tutti gli altri."
            )
        }
        E::LoanRepaid { seat } => {
            let name = name(seat);
            say!(voice, "{name} repaid a loan.", "{name} estingue un prestito.")
        }
        of_a_lot => auction_text(of_a_lot, voice),
    }
}

fn auction_text(event: &EventView, voice: &Voice) -> String {
    use EventView as E;
    let name = |seat: &Seat| voice.name(*seat);
    let with = |advisor: &bool| with_advisor(*advisor, voice);
    match event {
        E::LotOffered { seat, advisor, lot } => {
            let (name, lot, with) = (name(seat), materials((*lot).into(), voice), with(advisor));
            say!(voice, "{name} put {lot} up for auction{with}.", "{name} mette all'asta {lot}{with}.")
        }
        E::NothingSold { seat, advisor } => {
            let (name, with) = (name(seat), with(advisor));
            say!(
                voice,
                "{name} played Raw materials{with}: none left to sell.",
                "{name} gioca Materie prime{with}: non ce ne sono da vendere."
            )
        }
        E::BidMade { seat, amount } => {
            let name = name(seat);
            say!(voice, "{name} bid {amount}.", "{name} offre {amount}.")
        }
        E::BidPassed { seat } => {
            let name = name(seat);
            say!(voice, "{name} passed.", "{name} passa.")
        }
        E::LotSold { seller, buyer, lot, price } => {
            let (seller_name, buyer_name, lot) = (name(seller), name(buyer), materials((*lot).into(), voice));
            if seller == buyer {
                say!(
                    voice,
                    "{buyer_name} kept {lot} for {price}, paid to the bank.",
                    "{buyer_name} tiene {lot} e paga {price} alla banca."
                )
            } else {
                say!(
                    voice,
                    "{buyer_name} bought {lot} from {seller_name} for {price}.",
                    "{buyer_name} compra {lot} da {seller_name} per {price}."
                )
            }
        }
        E::LotReturned { lot, .. } => {
            let lot = materials((*lot).into(), voice);
            say!(
                voice,
                "No bids: {lot} back to the supply.",
                "Nessuna offerta: {lot} di nuovo nella riserva."
            )
        }
        _ => String::new(),
    }
}

pub fn winners(outcome: &Outcome, voice: &Voice) -> String {
    let Outcome(scores) = outcome;
    let points = printed(scores.first().map_or(0, |best| best.score));
    let winners: Vec<Seat> = scores.iter().filter(|score| score.place == 1).map(|score| score.seat).collect();
    let names = voice.seats(winners.iter().copied());
    if winners.len() == 1 {
        say!(voice, "{names} wins with {points} points.", "{names} vince con {points} punti.")
    } else {
        say!(
            voice,
            "{names} share first place with {points} points.",
            "{names} vincono a pari merito con {points} punti."
        )
    }
}
