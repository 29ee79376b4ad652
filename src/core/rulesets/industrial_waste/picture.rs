//! Pictures of positions: the common board, and a row for each company.

use super::{
    IndustrialWaste, View,
    company::{Area, BOTTOM_ROW, FIRST_COLUMN, LAST_COLUMN, MOST_WASTE, TOP_ROW, Zone},
    view::CompanyView,
};
use crate::engine::{
    Lang, Seat,
    id::Id as _,
    picture::{Font, HEIGHT, Labels, Pictured, Standing, Svg, seat_colour},
};

/// The board: its corner, and the size of a space.
const LEFT: i32 = 66;
const TOP: i32 = 76;
const WIDE: i32 = 78;
const HIGH: i32 = 58;
/// The tracks of waste below it.
const TRACKS: i32 = 410;
const TRACK: i32 = 52;
const HOLE: i32 = 32;
/// A factory about its middle.
const FACTORY: &str = "M-20 17V-3l10 5v-5l10 5v-5l5 2.5V-17h9V17z";
/// Places of several factories in a space.
const CLOSE: [(i32, i32); 4] = [(-17, -12), (17, -12), (-17, 13), (17, 13)];

impl Pictured for IndustrialWaste {
    fn standings(view: &View, lang: Lang) -> Vec<Standing> {
        view.companies.iter().map(|company| standing(company, lang)).collect()
    }

    fn labels(view: &View, lang: Lang) -> Labels {
        let is_open = view.companies.iter().all(|company| company.cash.is_some());
        let round = view.round;
        match (lang, is_open) {
            (Lang::En, true) => Labels { score: "points", round: format!("Round {round}") },
            (Lang::En, false) => Labels { score: "points without cash", round: format!("Round {round}") },
            (Lang::It, true) => Labels { score: "punti", round: format!("Round {round}") },
            (Lang::It, false) => Labels { score: "punti senza contanti", round: format!("Round {round}") },
        }
    }

    fn draw(view: &View, svg: &mut Svg) {
        svg.add(format_args!(r##"<rect width="{HEIGHT}" height="{HEIGHT}" fill="#dde2e4"/>"##));
        board(svg);
        for company in &view.companies {
            factory(company, &view.companies, svg);
            track(company, svg);
        }
    }
}

fn standing(company: &CompanyView, lang: Lang) -> Standing {
    let points = |area| i64::from(company.needs.points(area));
    let holes: i64 = Area::ALL.iter().map(|area| points(*area)).sum();
    let (waste, loans, column) = (company.waste, company.loans, company.column);
    let cash = company.cash.map_or(0, |cash| (cash / 2).cast_signed());
    let text = match lang {
        Lang::En => format!("growth {column} \u{b7} waste {waste} \u{b7} loans {loans}"),
        Lang::It => format!("crescita {column} \u{b7} rifiuti {waste} \u{b7} prestiti {loans}"),
    };
    let score = i64::from(column) + holes + cash - 10 * loans.cast_signed();
    Standing { seat: company.seat, score, text, is_in: true }
}

fn x(column: u8) -> i32 {
    LEFT + i32::from(column - FIRST_COLUMN) * WIDE
}

fn y(row: u8) -> i32 {
    TOP + i32::from(TOP_ROW - row) * HIGH
}

fn board(svg: &mut Svg) {
    for column in FIRST_COLUMN..=LAST_COLUMN {
        let middle = x(column) + WIDE / 2;
        svg.add(format_args!(
            r##"<circle cx="{middle}" cy="40" r="23" fill="#f8f5ec" stroke="#44576a" stroke-width="3"/>"##
        ));
        svg.text(middle, 49, &Font { size: 25, ..Font::MIDDLE }, &column.to_string());
        let fill = if column == LAST_COLUMN { "#fdf0c2" } else { "#f8f5ec" };
        for row in BOTTOM_ROW..=TOP_ROW {
            let (left, top) = (x(column) + 1, y(row) + 1);
            svg.add(format_args!(
                r##"<rect x="{left}" y="{top}" width="{}" height="{}" rx="3" fill="{fill}" stroke="#cdc6b4"/>"##,
                WIDE - 2,
                HIGH - 2
            ));
        }
    }
    for row in BOTTOM_ROW..=TOP_ROW {
        svg.text(LEFT - 30, y(row) + 38, &Font { size: 27, ..Font::MIDDLE }, &row.to_string());
    }
    let (left, high) = (x(LAST_COLUMN), 5 * HIGH);
    for (colour, dash) in [("#f5bf21", "none"), ("#1d2125", "9 9")] {
        svg.add(format_args!(
            r#"<path d="M{left} {TOP}v{high}" stroke="{colour}" stroke-width="7" stroke-dasharray="{dash}"/>"#
        ));
    }
}

fn factory(company: &CompanyView, all: &[CompanyView], svg: &mut Svg) {
    let here = |other: &&CompanyView| (other.column, other.row) == (company.column, company.row);
    let beside: Vec<Seat> = all.iter().filter(here).map(|other| other.seat).collect();
    let place = beside.iter().position(|seat| *seat == company.seat).unwrap_or(0);
    let (aside, below) = if beside.len() > 1 { CLOSE[place % CLOSE.len()] } else { (0, 0) };
    let (left, top) = (x(company.column) + WIDE / 2 + aside, y(company.row) + HIGH / 2 + below);
    let (size, colour) = (if beside.len() > 1 { "0.72" } else { "1.25" }, seat_colour(company.seat));
    svg.add(format_args!(
        r##"<path d="{FACTORY}" transform="translate({left} {top}) scale({size})" fill="{colour}" stroke="#f8f5ec" stroke-width="2.5" stroke-linejoin="round"/>"##
    ));
}

/// Draws a company's waste, with the zone in which an accident would find it.
fn track(company: &CompanyView, svg: &mut Svg) {
    let top = TRACKS + TRACK * i32::from(company.seat.number());
    svg.seat(company.seat, 36, top + 20, 15);
    for hole in 0..=MOST_WASTE {
        let left = LEFT + i32::from(hole) * HOLE;
        let fill = match Zone::of(hole) {
            Zone::Green => "#c3d8a6",
            Zone::Yellow => "#f7df86",
            Zone::Red => "#ecae98",
        };
        svg.add(format_args!(
            r##"<rect x="{left}" y="{top}" width="{}" height="40" fill="{fill}" stroke="#f8f5ec" stroke-width="2"/>"##,
            HOLE - 1
        ));
        let middle = left + HOLE / 2;
        if hole == company.waste {
            svg.seat(company.seat, middle, top + 20, 14);
        } else {
            svg.text(middle, top + 26, &Font { size: 15, is_bold: false, ..Font::MIDDLE }, &hole.to_string());
        }
    }
}
