//! The bot's evaluation of the game.

use std::sync::LazyLock;

use super::{
    Ecopolis,
    actions::{buy, credits, implement, trade},
    board::{Area, SQUARES, Square},
    cards::{Action, Actions},
    command::Command,
    event::EventView,
    phase::{Moment, Phase},
    rows::SLOTS,
    state::{State, WINS, WORST},
    tables::Territory,
    trade::Offer,
};
use crate::{
    bots::{Level, Net, Playable, Senses, Style},
    engine::{Ruleset, Seat},
};

/// The network, trained by `examples/learn.rs`.
static NET: LazyLock<Option<Net>> = LazyLock::new(|| Net::read(include_str!("net.txt")));

/// By how much, in ten-thousandths, an offer must better one's chances to be worth a thought.
const PLAIN_GAIN: i32 = 300;

impl Playable for Ecopolis {
    const LEAD: i64 = 1_500;

    fn candidates(state: &State, seat: Seat) -> Vec<Command> {
        match &state.phase {
            Phase::Trade { offer, .. } if offer.to == seat => answers(state, offer),
            Phase::Turn(Moment::Square) if state.turn_seat == seat => moves(state, seat),
            _ => Self::autopilot(state, seat).into_iter().collect(),
        }
    }

    fn worth(state: &State, seat: Seat) -> i64 {
        worth(state, seat)
    }

    fn sense(state: &State, seat: Seat, other: Seat, senses: &mut Senses) {
        sense_game(state, seat, other, senses);
        for (seat, other) in [(seat, other), (other, seat)] {
            sense_player(state, seat, other, senses);
            sense_areas(state, seat, senses);
        }
    }

    fn style(level: Level) -> Style<'static> {
        let judge = NET.as_ref();
        // A smaller depth misses the effect of a purchase; a larger one is mostly luck.
        let imagined = Style { depth: 16, judge, ..Style::THUMB };
        match level {
            Level::Easy => Style { slips: Some(3), ..Style::THUMB },
            Level::Middle => Style::THUMB,
            Level::Hard => Style { playouts: 100, ..imagined },
            Level::Hardest => Style { playouts: 1_000, ..imagined },
        }
    }

    fn net() -> Option<&'static Net> {
        NET.as_ref()
    }
}

/// Only clearly good offers are considered, so repeated offers of slightly less gain nothing.
fn answers(state: &State, offer: &Offer) -> Vec<Command> {
    let is_good = trade::check_accept(state).is_ok() && gain(state, offer) >= PLAIN_GAIN;
    let accept = is_good.then_some(Command::AcceptTrade {});
    accept.into_iter().chain([Command::RejectTrade {}]).collect()
}

/// Returns the change of the addressee's chances by an offer, in ten-thousandths, as the network predicts.
fn gain(state: &State, offer: &Offer) -> i32 {
    let mut after = state.clone();
    after.evolve(&EventView::TradeAccepted { trade: offer.clone().into() }.into());
    let chances = |state: &State| -> i32 {
        let others = state.still_in(offer.from).filter(|other| *other != offer.to);
        let chance = |other: Seat| {
            let mut senses = Senses::default();
            Ecopolis::sense(state, offer.to, other, &mut senses);
            NET.as_ref().map_or(0, |net| net.chance(senses.row()))
        };
        let all: Vec<i32> = others.map(chance).collect();
        all.iter().sum::<i32>() / i32::try_from(all.len().max(1)).unwrap_or(1)
    };
    chances(&after) - chances(state)
}

fn moves(state: &State, seat: Seat) -> Vec<Command> {
    let mut commands = Vec::new();
    if buy::check(state, seat).is_ok() {
        commands.push(Command::BuyTerritory {});
    }
    let built = state.owned(seat).map(|(territory, _)| territory);
    let built = built.filter(|territory| implement::check(state, seat, *territory).is_ok());
    commands.extend(built.map(|territory| Command::ImplementAction { territory }));
    if Square::at(state.players[seat].square) == Square::Co2 {
        let exchanged = Command::ExchangeActions { actions: least_useful(state, seat) };
        commands.extend(Some(exchanged).filter(|command| Ecopolis::check(state, seat, command).is_ok()));
    }
    let count = credits::most(state, seat);
    if count > 0 {
        commands.push(Command::BuyCredits { count });
    }
    commands.push(Command::EndTurn {});
    commands
}

/// Returns the two least useful cards of a hand.
fn least_useful(state: &State, seat: Seat) -> Vec<Action> {
    let hand: Vec<Action> = state.players[seat].hand.sorted().collect();
    // The second card of a kind is of less use than the first.
    let spare = |place: usize| hand[..place].iter().filter(|other| **other == hand[place]).count();
    let mut places: Vec<usize> = (0..hand.len()).collect();
    places.sort_by_cached_key(|place| uses_of(state, seat, hand[*place]).saturating_sub(spare(*place) * 4));
    places.into_iter().take(2).map(|place| hand[place]).collect()
}

/// Returns how soon the seat's territories need this kind of action.
fn uses_of(state: &State, seat: Seat, action: Action) -> usize {
    let soon = |(territory, done): (Territory, u8)| {
        let slot = territory.slot_of(action).and_then(|slot| slot.checked_sub(done.into()))?;
        Some(4 - slot)
    };
    state.owned(seat).filter_map(|(territory, holding)| soon((territory, holding.done))).sum()
}

/// Returns the number of actions that the hand allows one after the other, with unlimited credits.
fn doable(state: &State, seat: Seat) -> u8 {
    let mut hand: Actions = state.players[seat].hand;
    let mut count = 0;
    for (territory, holding) in state.owned(seat) {
        for action in &territory.deed().slots[usize::from(holding.done)..] {
            if !hand.holds(*action) {
                break;
            }
            hand.remove(*action);
            count += 1;
        }
    }
    count
}

/// Returns the number of open slots of the seat.
fn open_slots(state: &State, seat: Seat) -> u64 {
    state.owned(seat).map(|(_, holding)| u64::from(SLOTS - holding.done)).sum()
}

/// The credits of a seat as if its turn ended now.
fn credits_after_turn(state: &State, seat: Seat) -> u64 {
    let due = seat == state.turn_seat
        && state.phase == Phase::Turn(Moment::Square)
        && super::actions::end::brings_a_credit(state, seat);
    state.players[seat].credits + u64::from(due)
}

/// The territories of an area by owner, and the seat's actions there.
struct Hold {
    own: i64,
    others: i64,
    done: i64,
    /// Balance that the complete area would add.
    prize: i64,
}

fn hold(state: &State, seat: Seat, area: Area) -> Hold {
    let mut hold = Hold { own: 0, others: 0, done: 0, prize: 0 };
    for territory in area.territories() {
        hold.prize += territory.deed().bonus;
        if let Some(holding) = state.holding(territory) {
            if holding.owner == seat {
                hold.own += 1;
                hold.done += i64::from(holding.done);
            } else {
                hold.others += 1;
            }
        }
    }
    hold
}

/// In hundredths of a point of balance.
fn worth(state: &State, seat: Seat) -> i64 {
    let player = &state.players[seat];
    if player.eliminated.is_some() {
        return -4_000;
    }
    let euros = player.euros.cast_signed();
    let slots = open_slots(state, seat).cast_signed();
    let credits = credits_after_turn(state, seat).cast_signed();
    let mut worth = 100 * state.balance(seat);
    worth += 45 * credits.min(slots) + 10 * (credits - slots).max(0);
    // Money is safety first.
    worth += euros.min(2_500) / 3 + (euros - 2_500).max(0) / 8;
    worth += 40 * i64::from(doable(state, seat).min(4));
    let ahead = slots.min((state.options.max_rounds - state.round).cast_signed());
    worth += 30 * ahead;
    for area in Area::all() {
        let hold = hold(state, seat, area);
        if hold.others == 0 && hold.own > 0 {
            worth += hold.prize * [0, 5, 20, 50][usize::try_from(hold.own).unwrap_or_default()];
            worth += if hold.own == 3 { 4 * hold.prize * hold.done } else { 0 };
        }
    }
    let rents: u64 = state.owned(seat).map(|(territory, _)| state.rent(territory)).sum();
    worth + rents.cast_signed() / 10 - danger(state, seat)
}

/// Returns the rents of the next roll, compared with the seat's money.
fn danger(state: &State, seat: Seat) -> i64 {
    let player = &state.players[seat];
    let beyond = |(ways, rent): (i64, u64)| ways * i64::from(rent > player.euros);
    throws(state, seat).map(beyond).sum::<i64>() * 30
}

/// Returns each next square with its ways of 36, and the rent there.
fn throws(state: &State, seat: Seat) -> impl Iterator<Item = (i64, u64)> {
    let from = state.players[seat].square;
    (2..=12_u8).map(move |sum| {
        let square = (from + sum) % SQUARES;
        let rent = match Square::at(square) {
            Square::Territory(territory) if state.owner(territory).is_some_and(|owner| owner != seat) => {
                state.rent(territory)
            }
            _ => 0,
        };
        (i64::from(6 - sum.abs_diff(7)), rent)
    })
}

fn sense_game(state: &State, seat: Seat, other: Seat, senses: &mut Senses) {
    let left = (state.options.max_rounds - state.round).cast_signed();
    senses.part(80, left);
    senses.part(12, left.min(12));
    senses.part(4, left.min(4));
    // Evaluates as if the turn ended here, so that all compared states are before a roll.
    let next = next_to_roll(state);
    senses.flag(next == Some(seat));
    senses.flag(next == Some(other));
    senses.flag(state.seats.count() > 2);
    senses.flag(state.seats.count() > 3);
    senses.part(24, state.holdings.iter().map(|holding| i64::from(holding.is_none())).sum());
    senses.part(90, state.bag.total().into());
}

fn next_to_roll(state: &State) -> Option<Seat> {
    match state.phase {
        Phase::Turn(Moment::Roll) => Some(state.turn_seat),
        _ => state.still_in(state.seats.after(state.turn_seat)).next(),
    }
}

fn sense_player(state: &State, seat: Seat, other: Seat, senses: &mut Senses) {
    let player = &state.players[seat];
    let euros = player.euros.cast_signed();
    let credits = credits_after_turn(state, seat).cast_signed();
    let (balance, slots) = (state.balance(seat), open_slots(state, seat).cast_signed());
    senses.flag(player.eliminated.is_some());
    senses.part(8_000, euros);
    senses.part(2_000, euros.min(2_000));
    senses.steps(&[100, 300, 500, 800, 1_300], euros);
    senses.part(40, credits);
    senses.part(10, credits.min(10));
    senses.steps(&[1, 3, 6], credits);
    senses.part(20, (credits - slots).max(0));
    senses.part(WINS, balance);
    senses.steps(&[WORST + 4, -8, 0, 5, 10, 14, 17, 19], balance);
    senses.part(24, slots);
    senses.part(10, state.owned(seat).map(|_| 1).sum());
    let doable = i64::from(doable(state, seat));
    senses.part(6, doable);
    senses.part(6, doable.min(credits));
    // The credits of VIA, weighted by its distance.
    let to_via = i64::from(SQUARES - player.square % SQUARES);
    senses.part(SQUARES.into(), to_via);
    senses.flag(to_via <= 12);
    senses.part(10, (-balance - credits).max(0));
    sense_rents(state, seat, other, senses);
    let debt = state.phase.debt().filter(|_| state.turn_seat == seat);
    senses.flag(debt.is_some());
    senses.flag(debt.is_some_and(|owed| !owed.could_be_paid_by(player)));
}

fn sense_rents(state: &State, seat: Seat, other: Seat, senses: &mut Senses) {
    let euros = state.players[seat].euros;
    let (mut due, mut lost) = (0, 0);
    for (ways, rent) in throws(state, seat) {
        due += ways * rent.cast_signed();
        lost += ways * i64::from(rent > euros);
    }
    senses.part(36 * 500, due);
    senses.part(36, lost);
    let rents = state.owned(other).map(|(territory, _)| state.rent(territory));
    let (sum, above) = rents.fold((0, 0), |(sum, above), rent| (sum + rent, above + i64::from(rent > euros)));
    senses.part(8_000, sum.cast_signed());
    senses.part(6, above);
}

fn sense_areas(state: &State, seat: Seat, senses: &mut Senses) {
    for area in Area::all() {
        let hold = hold(state, seat, area);
        let open = hold.others == 0;
        senses.flag(open && hold.own == 1);
        senses.flag(open && hold.own == 2);
        senses.flag(open && hold.own == 3);
        senses.part(12, if open && hold.own == 3 { hold.done } else { 0 });
        senses.part(8, hold.done);
    }
}
