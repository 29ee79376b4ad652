//! The end of the game (section 11).

use std::cmp::Reverse;

use serde::Serialize;

use super::{
    company::{Area, Company},
    state::State,
};
use crate::engine::{Seat, places};

/// Final result, in order of place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
#[wire]
#[schema(as = industrial_waste::Result)]
pub struct Outcome(pub Vec<Score>);

/// Final score of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = industrial_waste::Score)]
pub struct Score {
    pub seat: Seat,
    #[schema(minimum = 1, maximum = 4)]
    pub place: u8,
    pub score: i64,
    pub parts: Parts,
}

/// Parts of a score (IW-11.3).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = industrial_waste::ScoreParts)]
pub struct Parts {
    pub growth: i64,
    pub rationalization: i64,
    pub raw_materials: i64,
    pub waste_reduction: i64,
    /// Half the cash, rounded down.
    pub cash: i64,
    /// Minus 10 points per loan.
    #[schema(maximum = 0)]
    pub loans: i64,
}

impl Parts {
    fn of(company: &Company) -> Self {
        let points = |area| i64::from(company.needs.points(area));
        Self {
            growth: company.column.into(),
            rationalization: points(Area::Rationalization),
            raw_materials: points(Area::RawMaterials),
            waste_reduction: points(Area::WasteReduction),
            cash: (company.cash / 2).cast_signed(),
            loans: -10 * company.loans.cast_signed(),
        }
    }

    const fn total(&self) -> i64 {
        self.growth
            + self.rationalization
            + self.raw_materials
            + self.waste_reduction
            + self.cash
            + self.loans
    }
}

impl State {
    /// Ranks by points, then cash. Ties share a place (IW-11.4).
    pub(super) fn outcome(&self) -> Outcome {
        let mut ranked: Vec<(i64, u64, Score)> = self
            .companies
            .iter()
            .map(|(seat, company)| {
                let parts = Parts::of(company);
                let score = parts.total();
                (score, company.cash, Score { seat, place: 1, score, parts })
            })
            .collect();
        ranked.sort_by_key(|(points, cash, score)| (Reverse((*points, *cash)), score.seat));
        let places = places(ranked.iter().map(|(points, cash, _)| (*points, *cash)));
        Outcome(
            ranked.into_iter().zip(places).map(|((_, _, score), place)| Score { place, ..score }).collect(),
        )
    }
}
