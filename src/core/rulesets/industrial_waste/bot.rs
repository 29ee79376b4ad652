//! The bot's evaluation of the game.

use std::sync::LazyLock;

use super::{
    IndustrialWaste,
    actions::{auction, loan},
    cards::{Cards, Kind},
    command::Command,
    company::{Area, Company, FIRST_COLUMN, LAST_COLUMN, LOAN, Zone},
    phase::{Auction, Phase},
    rules::uses,
    state::State,
};
use crate::{
    bots::{Level, Net, Playable, Senses, Style},
    engine::{Ruleset, Seat, id::Id},
};

/// The network, trained by `examples/learn.rs`.
static NET: LazyLock<Option<Net>> = LazyLock::new(|| Net::read(include_str!("net.txt")));
/// Most loans that a bot takes by choice.
const MOST_LOANS: u64 = 2;

impl Playable for IndustrialWaste {
    const LEAD: i64 = 1_200;

    fn candidates(state: &State, seat: Seat) -> Vec<Command> {
        if state.phase.to_act() != Some(seat) {
            return Vec::new();
        }
        match &state.phase {
            Phase::Engine | Phase::Dealing(_) | Phase::Finished(_) => Vec::new(),
            Phase::Choosing { offer, .. } => {
                offer.left().map(|(column, _)| Command::ChooseCombination { column: column as u64 }).collect()
            }
            Phase::Accident { .. } | Phase::FinalAccident { .. } => {
                vec![Command::Bribe {}, Command::AcceptAccident {}]
            }
            Phase::Auction(auction) => bids(state, auction, seat),
            Phase::Playing { .. } => plays(state, seat),
        }
    }

    fn worth(state: &State, seat: Seat) -> i64 {
        worth(state, &state.companies[seat])
    }

    fn sense(state: &State, seat: Seat, other: Seat, senses: &mut Senses) {
        sense_round(state, seat, other, senses);
        for seat in [seat, other] {
            sense_company(&state.companies[seat], senses);
        }
    }

    fn style(level: Level) -> Style<'static> {
        let judge = NET.as_ref();
        let imagined = Style { depth: 8, judge, ..Style::THUMB };
        match level {
            Level::Easy => Style { slips: Some(3), ..Style::THUMB },
            Level::Middle => Style { slips: Some(12), judge, ..Style::THUMB },
            Level::Hard => Style { playouts: 100, ..imagined },
            Level::Hardest => Style { playouts: 1_000, ..imagined },
        }
    }

    fn net() -> Option<&'static Net> {
        NET.as_ref()
    }
}

/// Returns a pass, the least bid, and a few bids up to the largest value of the lot.
fn bids(state: &State, auction: &Auction, seat: Seat) -> Vec<Command> {
    let least = auction::least_bid(state);
    let company = &state.companies[seat];
    let worth = u64::from(auction.lot) * u64::from(company.column) / u64::from(company.needs.raw_materials);
    // The last bidder needs only the least bid.
    let parts = if auction.still_to_bid.len() > 1 { 2..=6 } else { 0..=0 };
    let mut amounts: Vec<u64> = parts.map(|part| worth * part / 8).filter(|bid| *bid > least).collect();
    amounts.push(least);
    amounts.retain(|amount| *amount <= company.cash);
    amounts.sort_unstable();
    amounts.dedup();
    let bids = amounts.into_iter().map(|amount| Command::Bid { amount });
    bids.chain([Command::PassBid {}]).collect()
}

fn plays(state: &State, seat: Seat) -> Vec<Command> {
    let company = &state.companies[seat];
    let is_once = |command: &Command| match command {
        Command::Innovate { areas, .. } => areas.is_sorted_by_key(|area| area.index()),
        _ => true,
    };
    let mut commands = Vec::new();
    for kind in company.cards.kinds() {
        let ways = uses(kind).into_iter().filter(is_once);
        commands.extend(ways.filter(|command| IndustrialWaste::check(state, seat, command).is_ok()));
        // Getting rid of waste is never worse than getting rid of the card.
        if !matches!(kind, Kind::RawMaterials | Kind::WasteDisposal | Kind::WasteRemoval) {
            commands.push(Command::Discard { card: kind });
        }
    }
    if company.cards.total() == 1 {
        commands.push(Command::SaveCard {});
    }
    let short = company.cards.holds(Kind::Innovation) && company.cash < LOAN;
    if short && company.loans < MOST_LOANS && loan::check_take(state, seat, 1).is_ok() {
        commands.push(Command::TakeLoan { count: 1 });
    }
    commands
}

/// About how many more rounds there are.
fn rounds_left(state: &State) -> i64 {
    if state.final_round {
        return 0;
    }
    let ahead = state.companies.iter().map(|(_, company)| company.column).max().unwrap_or(FIRST_COLUMN);
    let to_go = i64::from(LAST_COLUMN - ahead.min(LAST_COLUMN)) * 3 / 2 + 1;
    to_go.min((state.options.max_rounds - state.round).cast_signed())
}

/// In hundredths of a point.
fn worth(state: &State, company: &Company) -> i64 {
    let rounds = rounds_left(state);
    let (cash, loans) = (company.cash.cast_signed(), company.loans.cast_signed());
    let needs = company.needs;
    let need = |area| i64::from(needs.of(area));
    let points: i64 = Area::ALL.iter().map(|area| i64::from(needs.points(*area))).sum();
    let mut worth = 100 * (i64::from(company.column) + points) + 50 * cash - 900 * loans;
    // The first millions pay for an innovation, and keep loans away.
    worth += 25 * cash.min(10) * rounds.min(2);
    // Subtracts the cost of the final accident, and values room for the waste of orders.
    worth -= match company.zone() {
        Zone::Green => 0,
        Zone::Yellow => 350,
        Zone::Red => 700,
    };
    worth -= i64::from(company.waste) * (10 + 6 * rounds);
    // Materials for the orders to come.
    let orders = 1 + rounds * 2 / 3;
    let useful = i64::from(company.materials).min(need(Area::RawMaterials) * orders);
    worth += if rounds > 0 || !company.out { 70 * useful } else { 0 };
    // Co-workers cost a million a round; too few of them, and no order is completed.
    worth -= 50 * i64::from(company.row) * (rounds + 1);
    let missing = (need(Area::Rationalization) - i64::from(company.row)).max(0);
    worth -= missing * 150 * rounds.min(4);
    // Modern areas make each order cheaper.
    worth -= rounds * (25 * need(Area::RawMaterials) + 30 * need(Area::WasteReduction));
    worth +=
        40 * i64::from(LAST_COLUMN - FIRST_COLUMN).min(i64::from(company.column - FIRST_COLUMN)) * rounds / 2;
    let kept = if rounds > 0 { worth_of(company.saved) } else { 0 };
    worth + kept + company.cards.sorted().map(|kind| worth_of(Some(kind))).sum::<i64>() / 2
}

/// Returns the value of a held card.
const fn worth_of(card: Option<Kind>) -> i64 {
    match card {
        Some(Kind::Innovation | Kind::Order) => 250,
        Some(Kind::Growth | Kind::Advisor) => 200,
        Some(Kind::WasteDisposal | Kind::Bribery | Kind::WasteRemoval) => 150,
        Some(Kind::HiringFiring | Kind::RawMaterials) => 100,
        Some(Kind::Accident) | None => 0,
    }
}

fn sense_round(state: &State, seat: Seat, other: Seat, senses: &mut Senses) {
    let ahead = state.companies.iter().map(|(_, company)| company.column).max().unwrap_or(FIRST_COLUMN);
    senses.steps(&[15, 16, 17, 18, 19, 20], ahead.into());
    senses.flag(state.final_round);
    senses.part(6, (state.options.max_rounds - state.round).cast_signed());
    senses.part(12, state.round.cast_signed());
    senses.flag(state.accident_aside);
    senses.part(50, state.common_materials.into());
    senses.flag(state.seats.count() > 2);
    senses.flag(state.seats.count() > 3);
    senses.flag(matches!(state.phase, Phase::Choosing { .. } | Phase::Dealing(_)));
    senses.flag(state.starting_seat == seat);
    senses.flag(state.starting_seat == other);
    // For its seller, a lot on sale is future money.
    let lot = |of: Seat| match &state.phase {
        Phase::Auction(auction) if auction.seller == of => auction.lot,
        _ => 0,
    };
    let bid = |of: Seat| match &state.phase {
        Phase::Auction(auction) => {
            auction.standing().filter(|(bidder, _)| *bidder == of).map_or(0, |(_, bid)| bid)
        }
        _ => 0,
    };
    for of in [seat, other] {
        senses.part(5, lot(of).into());
        senses.part(20, bid(of).cast_signed());
        senses.flag(bid(of) > 0);
    }
}

fn sense_company(company: &Company, senses: &mut Senses) {
    senses.part(6, i64::from(company.column - FIRST_COLUMN));
    senses.flag(company.column == LAST_COLUMN);
    senses.steps(&[2, 3, 4, 5], company.row.into());
    for area in Area::ALL {
        senses.steps(&[2, 3, 4, 5], company.needs.of(*area).into());
    }
    let short = i64::from(company.needs.rationalization) - i64::from(company.row);
    senses.part(2, short.max(0));
    senses.part(16, company.waste.into());
    senses.steps(&[3, 6, 9, 11, 13, 15], company.waste.into());
    senses.part(40, company.cash.cast_signed());
    senses.steps(&[3, 5, 10, 15, 20, 30], company.cash.cast_signed());
    senses.part(2, company.loans.cast_signed());
    senses.part(10, company.materials.into());
    let orders = company.materials / company.needs.raw_materials;
    senses.steps(&[1, 2, 3], orders.into());
    sense_cards(&company.cards, senses);
    for kind in &Kind::ALL[..9] {
        senses.flag(company.saved == Some(*kind));
    }
    senses.flag(company.out);
}

fn sense_cards(cards: &Cards, senses: &mut Senses) {
    for kind in &Kind::ALL[..9] {
        senses.part(1, cards.count(*kind).into());
    }
}
