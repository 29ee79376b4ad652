//! Views (section 10), and redealt states.

use serde::Serialize;

use super::{
    cards::{Action, Actions},
    debt::Debt,
    outcome::Outcome,
    phase::{Phase, PhaseName},
    state::{Dice, Exchange, LastTurn, Player, State, Turn},
    tables::{EventCard, Territory},
    trade::Offer,
};
use crate::engine::{BySeat, Chance, Seat, Viewer, id::Id};

/// Position of the game, as the viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = ecopolis::State)]
pub struct View {
    #[schema(minimum = 1, maximum = 200)]
    pub round: u64,
    pub phase: PhaseName,
    /// Seat to act. `null` when the game is over. The proposer of an open offer may withdraw it.
    pub to_act: Option<Seat>,
    pub turn_seat: Seat,
    pub first_seat: Seat,
    /// Dice of this turn. `null` before the roll.
    pub dice: Option<Dice>,
    /// Event drawn in this turn.
    pub event: Option<EventCard>,
    pub turn: TurnView,
    /// The previous turn.
    pub last_turn: Option<LastTurnView>,
    /// Number of cards in the bag.
    #[schema(maximum = 96)]
    pub bag: u8,
    /// Number of cards in the event deck.
    #[schema(maximum = 18)]
    pub event_deck: usize,
    pub seats: Vec<SeatView>,
    #[schema(min_items = 24, max_items = 24)]
    pub territories: Vec<TerritoryView>,
    pub debt: Option<Debt>,
    pub trade: Option<Offer>,
    #[schema(maximum = 5)]
    pub offers_left: u8,
    pub result: Option<Outcome>,
}

/// Progress of the current turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = ecopolis::Turn)]
pub struct TurnView {
    pub bought: Option<Territory>,
    /// Number of actions implemented.
    #[schema(maximum = 96)]
    pub implemented: u8,
    /// Whether the credit for standing still or for a CO2 square was received.
    pub credit_taken: bool,
    /// Number of credits that the carbon market still sells.
    #[schema(maximum = 5)]
    pub market_left: u64,
    /// Kind of the next swap of cards: `passing` is free, `square` ends the turn.
    pub exchange: Option<Exchange>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = ecopolis::LastTurn)]
pub struct LastTurnView {
    pub seat: Seat,
    pub dice: Dice,
    pub event: Option<EventCard>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = ecopolis::Seat)]
pub struct SeatView {
    pub seat: Seat,
    #[schema(maximum = 39)]
    pub square: u8,
    pub euros: u64,
    pub credits: u64,
    pub balance: i64,
    #[schema(maximum = 6)]
    pub hand_size: u8,
    /// Cards of the hand, sorted by kind. `null` if the viewer may not see them.
    pub hand: Option<Vec<Action>>,
    pub eliminated: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = ecopolis::TerritoryState)]
pub struct TerritoryView {
    pub id: Territory,
    #[schema(maximum = 39)]
    pub square: u8,
    pub owner: Option<Seat>,
    #[schema(maximum = 4)]
    pub actions_done: u8,
    /// Rent that a visitor would pay now.
    pub rent: u64,
    /// Whether the territory was traded recently and cannot be traded again yet.
    pub resting: bool,
}

impl View {
    pub(super) fn of(state: &State, viewer: Viewer) -> Self {
        let State {
            options: _,
            seats: _,
            round,
            first_seat,
            turn_seat,
            dice,
            event,
            turn,
            last_turn,
            bag,
            event_deck,
            event_discards: _,
            players,
            holdings: _,
            phase,
            memory: _,
        } = state;
        let seat = |(seat, player)| SeatView::of(state, seat, player, state.shows_hand(seat, viewer));
        Self {
            round: *round,
            phase: phase.name(),
            to_act: phase.to_act(*turn_seat),
            turn_seat: *turn_seat,
            first_seat: *first_seat,
            dice: *dice,
            event: *event,
            turn: TurnView::of(turn, state.exchange()),
            last_turn: last_turn.map(|LastTurn { seat, dice, event }| LastTurnView { seat, dice, event }),
            bag: bag.total(),
            event_deck: event_deck.len(),
            seats: players.iter().map(seat).collect(),
            territories: Territory::ALL
                .iter()
                .map(|territory| TerritoryView::of(state, *territory))
                .collect(),
            debt: phase.debt().map(|owed| Debt::of(*turn_seat, owed)),
            trade: phase.offer().cloned(),
            offers_left: state.offers_left(),
            result: match phase {
                Phase::Finished(outcome) => Some(outcome.clone()),
                _ => None,
            },
        }
    }
}

impl TurnView {
    const fn of(turn: &Turn, exchange: Option<Exchange>) -> Self {
        let Turn { bought, implemented, credit_taken, market_left, passing: _, offers: _ } = turn;
        Self {
            bought: *bought,
            implemented: *implemented,
            credit_taken: *credit_taken,
            market_left: *market_left,
            exchange,
        }
    }
}

impl SeatView {
    fn of(state: &State, seat: Seat, player: &Player, open: bool) -> Self {
        let Player { square, euros, credits, hand, eliminated } = player;
        Self {
            seat,
            square: *square,
            euros: *euros,
            credits: *credits,
            balance: state.balance(seat),
            hand_size: hand.total(),
            hand: open.then(|| hand.sorted().collect()),
            eliminated: eliminated.is_some(),
        }
    }
}

impl TerritoryView {
    fn of(state: &State, territory: Territory) -> Self {
        let holding = state.holding(territory);
        Self {
            id: territory,
            square: territory.square(),
            owner: holding.map(|holding| holding.owner),
            actions_done: holding.map_or(0, |holding| holding.done),
            rent: state.rent(territory),
            resting: holding.is_some_and(|holding| holding.rests > 0),
        }
    }
}

impl State {
    fn shows_hand(&self, seat: Seat, viewer: Viewer) -> bool {
        self.options.open_hands || viewer.is(seat) || matches!(self.phase, Phase::Finished(_))
    }

    /// Shuffles the event deck, and deals hidden hands and the bag again. Cards named in an open offer stay
    /// with their proposer, who is known to have them.
    pub(super) fn redeal(&self, viewer: Viewer, chance: &mut Chance) -> Self {
        let mut other = self.clone();
        let size = u32::try_from(self.event_deck.len()).unwrap_or(u32::MAX);
        // Sorted first, so that the deal depends only on the viewer's knowledge.
        let mut sorted = self.event_deck.clone();
        sorted.sort_unstable();
        let order = chance.shuffle("redeal_events", size).iter();
        other.event_deck = order.map(|place| sorted[*place as usize]).collect();

        let kept = BySeat::new(self.seats, |seat| match self.phase.offer() {
            _ if self.shows_hand(seat, viewer) => self.players[seat].hand,
            Some(offer) if offer.from == seat => offer.give.hand(),
            _ => Actions::default(),
        });
        let mut hidden = self.bag;
        for (seat, player) in self.players.iter() {
            hidden.extend(player.hand.sorted());
            kept[seat].sorted().for_each(|action| hidden.remove(action));
        }
        let pool: Vec<Action> = hidden.sorted().collect();
        let size = u32::from(hidden.total());
        let mut dealt = chance.shuffle("redeal_actions", size).iter().map(|place| pool[*place as usize]);
        for (seat, player) in other.players.iter_mut() {
            let lacks = usize::from(player.hand.total() - kept[seat].total());
            player.hand = kept[seat];
            player.hand.extend(dealt.by_ref().take(lacks));
        }
        other.bag = dealt.collect();
        other
    }
}
