//! Offers, and the answers to them.

use super::{
    super::{
        actions::trade::{self, Proposal},
        cards::Action,
        command::Command,
        debt::Owed,
        state::State,
        tables::Territory,
        trade::{Offer, Side},
    },
    cards, debts,
    land::{self, HUNDRED},
};
use crate::engine::{Seat, id::Id};

/// Euros on top of the least price.
const EXTRA: [u64; 5] = [0, 300, 700, 1_200, 1_800];
/// Money that an offer leaves.
const KEPT: u64 = 300;
/// Partners that a seat asks in a turn.
const PARTNERS: usize = 2;
/// Rounds before a seat asks for the same territory again.
const PATIENCE: u64 = 3;
/// Least worth of a trade to its proposer, and to the partner by the proposer's guess.
const WORTH_ASKING: i64 = 1_000;
const WORTH_TAKING: i64 = 300;
/// Cost of letting another seat have an area that would win.
const LETS_WIN: i64 = 6_000;
/// Value of a card that a seat needs most.
const CARD: i64 = 500;

/// Returns how much of another seat's gain counts as a loss, in thousandths.
fn envy(state: &State, seat: Seat) -> i64 {
    let by_seats = match state.still_in(seat).count() {
        0..=2 => 900,
        3 => 720,
        _ => 600,
    };
    by_seats + [0, -120, 80, -40][usize::from(seat.number()) % 4]
}

/// Returns what a seat gains by a trade in land and money, by its own value of money or by a guess.
fn profit(state: &State, offer: &Offer, seat: Seat, hundred: i64) -> i64 {
    let (give, take) = offer.of(seat);
    let before = land::owners(state);
    let mut after = before;
    let mut touched = Vec::with_capacity(give.territories.len() + take.territories.len());
    for (receiver, side) in [(offer.to, &offer.give), (offer.from, &offer.take)] {
        for territory in &side.territories {
            after[territory.index()] = Some(receiver);
            touched.push(*territory);
        }
    }
    let money = |side: &Side| land::money(side.euros, hundred) + side.credits.cast_signed() * hundred / 2;
    let mut land = land::gain(state, seat, &before, &after, &touched);
    if take.territories.is_empty() && state.phase.debt().is_none() {
        // A seat sells for no less than the bank gives.
        let bank: u64 = give.territories.iter().map(|territory| territory.return_price()).sum();
        land = land.min(-land::money(bank, hundred));
    }
    let mut profit = land + money(take) - money(give);
    let partner = offer.partner_of(seat);
    let lets_win = |winner: Seat| {
        touched.iter().any(|territory| land::wins_with(state, winner, territory.area(), &after))
    };
    if lets_win(partner) && !lets_win(seat) {
        profit -= LETS_WIN;
    }
    profit + relief(state, offer, seat, hundred)
}

/// Returns the value of a settled debt: to the debtor the debt, to the creditor most of what it could get.
fn relief(state: &State, offer: &Offer, seat: Seat, hundred: i64) -> i64 {
    let Some(owed) = state.phase.debt().filter(|_| offer.settles_debt) else { return 0 };
    let debtor = state.turn_seat;
    if seat == debtor {
        return land::money(owed.worth(), hundred);
    }
    let lost = owed.lacking(&state.players[debtor]).saturating_sub(state.land_price(debtor));
    -(land::money(owed.worth() - lost, hundred) * 8 / 10)
}

/// Returns the value of the cards that change hands.
fn cards_worth(state: &State, give: &[Action], take: &[Action], seat: Seat) -> i64 {
    if give.is_empty() && take.is_empty() {
        return 0;
    }
    let (marks, hand) = (cards::marks(state, seat), &state.players[seat].hand);
    let value = |kind: &Action, copies: u8| {
        (marks[kind.index()] - cards::COPY * i64::from(copies)).max(0) * CARD / 1_000
    };
    let got: i64 = take.iter().map(|kind| value(kind, hand.count(*kind))).sum();
    let given: i64 = give.iter().map(|kind| value(kind, hand.count(*kind).saturating_sub(1))).sum();
    got - given
}

/// Returns what land and money of a trade are worth to a seat that envies its partner's gain.
fn envious(state: &State, offer: &Offer, seat: Seat, hundred: i64) -> i64 {
    let others = profit(state, offer, offer.partner_of(seat), HUNDRED).max(0);
    profit(state, offer, seat, hundred) - envy(state, seat) * others / 1_000
}

/// Returns what a trade is worth to a seat.
fn worth(state: &State, offer: &Offer, seat: Seat) -> i64 {
    let (give, take) = offer.of(seat);
    envious(state, offer, seat, land::hundred(seat)) + cards_worth(state, &give.actions, &take.actions, seat)
}

/// Returns what a trade is worth to the other seat, as far as one can tell.
fn guess(state: &State, offer: &Offer, other: Seat) -> i64 {
    envious(state, offer, other, HUNDRED)
}

/// Returns the answer to an offer.
pub fn answer(state: &State, offer: &Offer) -> Command {
    respond(state, offer, worth(state, offer, offer.to))
}

fn respond(state: &State, offer: &Offer, value: i64) -> Command {
    if value > 0 && trade::check_accept(state).is_ok() {
        return Command::AcceptTrade {};
    }
    counter(state, offer, value).unwrap_or(Command::RejectTrade {})
}

/// Returns the answers worth a search, the habit first. A clearly bad one is not among them.
pub fn answers(state: &State, offer: &Offer) -> Vec<Command> {
    let value = worth(state, offer, offer.to);
    let mut answers = vec![respond(state, offer, value)];
    // A deal that is plainly good is made: a table at which all search would trade no more.
    if answers[0] == (Command::AcceptTrade {}) && value > WORTH_ASKING {
        return answers;
    }
    let is_fair =
        !offer.give.territories.is_empty() && value > -WORTH_ASKING && trade::check_accept(state).is_ok();
    for other in
        [is_fair.then_some(Command::AcceptTrade {}), Some(Command::RejectTrade {})].into_iter().flatten()
    {
        if !answers.contains(&other) {
            answers.push(other);
        }
    }
    answers
}

/// Returns the same trade with so much more money that it is worth a little.
fn counter(state: &State, offer: &Offer, value: i64) -> Option<Command> {
    let (seat, partner) = (offer.to, offer.from);
    if offer.counter || offer.give.territories.is_empty() && offer.take.territories.is_empty() {
        return None;
    }
    // A lower payment counts twice: the partner, whose gain one envies, gains less.
    let hundred = land::hundred(seat) + envy(state, seat) * HUNDRED / 1_000;
    let more = (-value).max(0) / hundred * 100 + 100;
    let more = u64::try_from(more).ok()?;
    let (mut give, mut take) = (offer.take.clone(), offer.give.clone());
    let saved = give.euros.min(more);
    give.euros -= saved;
    take.euros += more - saved;
    let plain = Offer::plain(seat, partner, give.clone(), take.clone());
    let better = Offer { settles_debt: offer.settles_debt, counter: true, ..plain };
    let is_fair = worth(state, &better, seat) > 0 && guess(state, &better, partner) > WORTH_TAKING;
    let is_legal = is_fair && trade::check_counter(state, &give, &take).is_ok();
    is_legal.then(|| Command::CounterTrade { give: give.into(), take: take.into() })
}

/// Returns the seats that were not asked in this turn.
fn partners(state: &State, seat: Seat) -> impl Iterator<Item = Seat> {
    state.still_in(seat).filter(move |other| *other != seat && !state.memory.has_asked(*other))
}

/// Returns the best offers of a seat before its throw, and whether the best is worth making.
pub fn proposals(state: &State, seat: Seat, most: usize) -> (Vec<Command>, bool) {
    if state.offers_left() == 0 || state.memory.partners() >= PARTNERS {
        return (Vec::new(), false);
    }
    let mut offers: Vec<(i64, Offer)> = Vec::new();
    for partner in partners(state, seat) {
        for territory in wanted(state, seat, partner) {
            cheapest(state, seat, partner, territory, &mut offers);
        }
    }
    offers.sort_by_key(|(value, _)| std::cmp::Reverse(*value));
    if offers.first().is_none_or(|(value, _)| *value <= WORTH_ASKING)
        && let Some(swap) = partners(state, seat).find_map(|partner| swap(state, seat, partner))
    {
        offers.insert(0, (WORTH_ASKING + 1, swap));
    }
    let is_worth_it = offers.first().is_some_and(|(value, _)| *value > WORTH_ASKING);
    (offers.into_iter().take(most).map(|(_, offer)| propose(offer)).collect(), is_worth_it)
}

pub fn propose(offer: Offer) -> Command {
    Command::ProposeTrade {
        to: offer.to.number().into(),
        give: offer.give.into(),
        take: offer.take.into(),
        settles_debt: offer.settles_debt,
    }
}

/// Returns the territories of a partner in areas where the seat owns one.
fn wanted(state: &State, seat: Seat, partner: Seat) -> impl Iterator<Item = Territory> {
    let rested = state.owned(partner).filter(|(_, holding)| holding.rests == 0);
    rested.map(|(territory, _)| territory).filter(move |territory| {
        let asked = state.memory.asked_for(seat, *territory);
        let waits = asked.is_some_and(|round| round + PATIENCE > state.round);
        !waits && cards::held_in(state, seat, *territory) > 0
    })
}

/// Adds the offers for a territory that are worth anything, each at the lowest sum that the partner may take.
fn cheapest(state: &State, seat: Seat, partner: Seat, territory: Territory, offers: &mut Vec<(i64, Offer)>) {
    let rested = state.owned(seat).filter(|(_, holding)| holding.rests == 0).map(|(given, _)| given);
    let given = rested.filter(|given| given.area() != territory.area()).map(Some);
    for given in std::iter::once(None).chain(given) {
        let least = if given.is_some() { 0 } else { state.rent(territory) };
        let offer = |extra: u64| {
            let give =
                Side { territories: given.into_iter().collect(), euros: least + extra, ..Side::default() };
            Offer::plain(seat, partner, give, Side { territories: vec![territory], ..Side::default() })
        };
        let affordable = EXTRA.iter().filter(|extra| state.players[seat].euros >= least + **extra + KEPT);
        let taken = |offer: &Offer| guess(state, offer, partner) > WORTH_TAKING;
        let Some(offer) = affordable.map(|extra| offer(*extra)).find(taken) else { continue };
        let value = worth(state, &offer, seat);
        if value > WORTH_TAKING && is_legal(state, &offer) {
            offers.push((value, offer));
        }
    }
}

/// Returns a swap of a useless card for one that a whole area waits for, if the partner needs the former.
fn swap(state: &State, seat: Seat, partner: Seat) -> Option<Offer> {
    let whole = state.owned(seat).filter(|(territory, _)| cards::held_in(state, seat, *territory) == 3);
    let needed = whole
        .filter_map(|(territory, holding)| territory.deed().slots.get(usize::from(holding.done)).copied())
        .find(|kind| !state.players[seat].hand.holds(*kind))?;
    let spare = cards::spare(state, seat)?;
    let marks = cards::marks(state, partner);
    let helps = marks[spare.index()] > marks[needed.index()] + 300;
    let side = |kind| Side { actions: vec![kind], ..Side::default() };
    let offer = Offer::plain(seat, partner, side(spare), side(needed));
    (helps && is_legal(state, &offer)).then_some(offer)
}

fn is_legal(state: &State, offer: &Offer) -> bool {
    let Offer { from, to, give, take, settles_debt, .. } = offer;
    let proposal = Proposal { to: to.number().into(), give, take, settles_debt: *settles_debt };
    trade::check_propose(state, *from, &proposal).is_ok()
}

/// Returns an offer of land that settles a rent, or that brings the missing money.
pub fn offer_for_debt(state: &State, seat: Seat, owed: Owed) -> Option<Offer> {
    let settling = owed.creditor().and_then(|creditor| settling(state, seat, owed, creditor));
    settling.or_else(|| selling(state, seat, owed))
}

/// Returns a territory for a rent, if it is a smaller loss than the rent, and worth enough to the owner.
fn settling(state: &State, seat: Seat, owed: Owed, creditor: Seat) -> Option<Offer> {
    if state.memory.has_asked(creditor) || state.offers_left() == 0 {
        return None;
    }
    let rent = land::price(owed.worth(), seat);
    let smaller = debts::by_loss(state, seat).into_iter().take_while(|(loss, _)| *loss < rent);
    let mut offers =
        smaller.map(|(_, territory)| Offer { settles_debt: true, ..giving(seat, creditor, territory, 0) });
    offers.find(|offer| guess(state, offer, creditor) > 0 && is_legal(state, offer))
}

/// Returns the sale of a territory for the missing sum, at least at the bank's price.
fn selling(state: &State, seat: Seat, owed: Owed) -> Option<Offer> {
    let lacking = owed.lacking(&state.players[seat]);
    if lacking == 0 || state.memory.partners() >= PARTNERS || state.offers_left() == 0 {
        return None;
    }
    let mut offers = debts::by_loss(state, seat).into_iter().flat_map(|(_, territory)| {
        let euros = lacking.next_multiple_of(100).max(territory.return_price());
        partners(state, seat)
            .filter(move |partner| state.players[*partner].euros >= euros + KEPT)
            .map(move |partner| giving(seat, partner, territory, euros))
    });
    offers.find(|offer| guess(state, offer, offer.to) > WORTH_TAKING && is_legal(state, offer))
}

fn giving(from: Seat, to: Seat, territory: Territory, euros: u64) -> Offer {
    let give = Side { territories: vec![territory], ..Side::default() };
    Offer::plain(from, to, give, Side { euros, ..Side::default() })
}
