//! Pictures of positions: the ring around the province, with owners and pawns.

use super::{
    Ecopolis, View,
    board::{SQUARES, Square, VIA},
    tables::Territory,
    view::{SeatView, TerritoryView},
};
use crate::engine::{
    Lang, Seat,
    picture::{Font, HEIGHT, Labels, Pictured, Standing, Svg, broken, seat_colour},
    voice::printed,
};

const CORNER: i32 = 81;
/// A side has nine squares between its corners.
const SQUARE: i32 = (HEIGHT - 2 * CORNER) / 9;
const SIDE: u8 = 10;
/// Where the pawns are, from the ring on.
const LANE: i32 = 15;
const AREA_COLOURS: [&str; 8] =
    ["#bcc8bd", "#a9cba3", "#dccb9c", "#ecdf95", "#e8bd9d", "#cfe0a6", "#b4d6de", "#dfb7bd"];

impl Pictured for Ecopolis {
    fn standings(view: &View, lang: Lang) -> Vec<Standing> {
        let owned = |seat: Seat| view.territories.iter().filter(|one| one.owner == Some(seat)).count();
        let standing = |seat: &SeatView| {
            let (territories, credits, euros) = (owned(seat.seat), seat.credits, seat.euros);
            let text = match lang {
                Lang::En => {
                    format!("{territories} territories \u{b7} {credits} credits \u{b7} {euros} \u{20ac}")
                }
                Lang::It => {
                    format!("{territories} territori \u{b7} {credits} crediti \u{b7} {euros} \u{20ac}")
                }
            };
            Standing { seat: seat.seat, score: seat.balance, text, is_in: !seat.eliminated }
        };
        view.seats.iter().map(standing).collect()
    }

    fn labels(view: &View, lang: Lang) -> Labels {
        let score = match lang {
            Lang::En => "balance",
            Lang::It => "bilancio",
        };
        Labels { score, round: format!("Round {}", view.round) }
    }

    fn draw(view: &View, svg: &mut Svg) {
        svg.add(format_args!(r##"<rect width="{HEIGHT}" height="{HEIGHT}" fill="#8f9791"/>"##));
        let (edge, size) = (CORNER + 2 * LANE, HEIGHT - 2 * CORNER - 4 * LANE);
        svg.add(format_args!(
            r##"<rect x="{edge}" y="{edge}" width="{size}" height="{size}" rx="10" fill="#e4ecea"/>"##
        ));
        province(view, svg);
        for number in 0..SQUARES {
            square(view, number, svg);
        }
        for seat in view.seats.iter().filter(|seat| !seat.eliminated) {
            pawn(seat, view, svg);
        }
    }
}

/// A square on the picture.
struct Place {
    x: i32,
    y: i32,
    wide: i32,
    high: i32,
    /// Where a pawn on it is.
    lane: (i32, i32),
    is_flat: bool,
}

/// Returns the place of a square. VIA is the corner at the bottom right; the ring continues to the left.
fn place(number: u8) -> Place {
    let (side, step) = (number / SIDE, i32::from(number % SIDE));
    let is_corner = number.is_multiple_of(SIDE);
    let length = if is_corner { CORNER } else { SQUARE };
    let inner = HEIGHT - CORNER;
    let (far, near) =
        if is_corner { (inner, 0) } else { (inner - SQUARE * step, CORNER + SQUARE * (step - 1)) };
    let half = length / 2;
    let (low, high) = (CORNER + LANE, inner - LANE);
    let kept = |value: i32| value.clamp(low, high);
    match side {
        0 => Place {
            x: far,
            y: inner,
            wide: length,
            high: CORNER,
            lane: (kept(far + half), high),
            is_flat: true,
        },
        1 => {
            Place { x: 0, y: far, wide: CORNER, high: length, lane: (low, kept(far + half)), is_flat: false }
        }
        2 => {
            Place { x: near, y: 0, wide: length, high: CORNER, lane: (kept(near + half), low), is_flat: true }
        }
        _ => Place {
            x: inner,
            y: near,
            wide: CORNER,
            high: length,
            lane: (high, kept(near + half)),
            is_flat: false,
        },
    }
}

fn square(view: &View, number: u8, svg: &mut Svg) {
    let place = place(number);
    let Place { x, y, wide, high, .. } = place;
    let (middle, centre) = (x + wide / 2, y + high / 2);
    let mut fill = |fill: &str| {
        svg.add(format_args!(
            r##"<rect x="{x}" y="{y}" width="{wide}" height="{high}" fill="{fill}" stroke="#6d736a" stroke-width="1.2"/>"##
        ));
    };
    match Square::at(number) {
        Square::Co2 => {
            fill("#dfe6e6");
            let text = if number == VIA { "VIA" } else { "CO\u{2082}" };
            svg.text(middle, centre + 7, &Font { size: 19, ..Font::MIDDLE }, text);
        }
        Square::Event(_) => {
            fill("#f3e7c3");
            svg.text(middle, centre + 10, &Font { size: 30, colour: "#a8472b", ..Font::MIDDLE }, "\u{2605}");
        }
        Square::Territory(territory) => {
            let Some(shown) = view.territories.iter().find(|one| one.id == territory) else { return };
            fill(shown.owner.map_or("#fffdf6", pale));
            of_territory(territory, shown, &place, svg);
        }
    }
}

/// Returns the light colour of a seat's squares.
fn pale(seat: Seat) -> &'static str {
    ["#c9dcf5", "#f9d3b4", "#bfe0cb", "#efcfdf"][usize::from(seat.number()) % 4]
}

fn of_territory(territory: Territory, shown: &TerritoryView, place: &Place, svg: &mut Svg) {
    let &Place { x, y, wide, high, is_flat, .. } = place;
    let area = AREA_COLOURS[territory.area().number() % AREA_COLOURS.len()];
    // The band with the actions is at the side of the road.
    let (left, top, width, height) = match (is_flat, x > HEIGHT / 2, y > HEIGHT / 2) {
        (true, _, true) => (x, y, wide, 15),
        (true, _, false) => (x, y + high - 15, wide, 15),
        (false, true, _) => (x, y, 15, high),
        (false, false, _) => (x + wide - 15, y, 15, high),
    };
    svg.add(format_args!(
        r##"<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="{area}" stroke="#6d736a" stroke-width="0.8"/>"##
    ));
    for action in 0..4_u8 {
        let along = 2 * i32::from(action) + 1;
        let (cx, cy) = if is_flat {
            (left + width * along / 8, top + height / 2)
        } else {
            (left + width / 2, top + height * along / 8)
        };
        let fill = if action < shown.actions_done { "#1d2125" } else { "#fffdf6" };
        svg.add(format_args!(
            r##"<circle cx="{cx}" cy="{cy}" r="4.4" fill="{fill}" stroke="#4d554f" stroke-width="0.8"/>"##
        ));
    }
    let (middle, first, low) = match (is_flat, x > HEIGHT / 2, y > HEIGHT / 2) {
        (true, _, true) => (x + wide / 2, y + 28, y + high - 13),
        (true, _, false) => (x + wide / 2, y + 14, y + high - 28),
        (false, true, _) => (x + 15 + (wide - 15) / 2, y + 14, y + high - 13),
        (false, false, _) => (x + (wide - 15) / 2, y + 14, y + high - 13),
    };
    let town = territory.deed().name.replace("Modena ", "");
    for (line, text) in (0_u8..).zip(broken(&town, 10).iter().take(2)) {
        let font = Font { size: 10, is_bold: false, ..Font::MIDDLE };
        svg.text(middle, first + 11 * i32::from(line), &font, text);
    }
    if let Some(owner) = shown.owner {
        svg.seat(owner, middle, low, 9);
    }
}

/// Draws the areas in the middle: who owns how much, and how many actions are done.
fn province(view: &View, svg: &mut Svg) {
    let middle = HEIGHT / 2;
    for (area, colour) in (0_u8..).zip(AREA_COLOURS) {
        let (column, row) = SEATS_OF_AREAS[usize::from(area)];
        let (wide, high) = (132, 132);
        let (left, top) = (middle - 3 * wide / 2 + wide * column, middle - 3 * high / 2 + high * row);
        svg.add(format_args!(
            r#"<rect x="{left}" y="{top}" width="{}" height="{}" rx="12" fill="{colour}"/>"#,
            wide - 6,
            high - 6
        ));
        let own = view.territories.iter().filter(|one| usize::from(area) == one.id.area().number());
        for (at, territory) in (0_u8..).zip(own) {
            let (x, y) = (left + 24 + 39 * i32::from(at), top + 48);
            match territory.owner {
                Some(owner) => svg.seat(owner, x, y, 14),
                None => svg.add(format_args!(
                    r##"<circle cx="{x}" cy="{y}" r="12" fill="none" stroke="#525960" stroke-width="1.5" stroke-dasharray="3 3"/>"##
                )),
            }
            let done = format!("{}/4", territory.actions_done);
            svg.text(
                x,
                y + 44,
                &Font { size: 18, is_bold: territory.actions_done > 0, ..Font::MIDDLE },
                &done,
            );
        }
    }
    let balances = view.seats.iter().filter(|seat| !seat.eliminated);
    for (at, seat) in (0_u8..).zip(balances) {
        let y = middle - 34 + 32 * i32::from(at);
        svg.seat(seat.seat, middle - 32, y - 9, 11);
        let font = Font { size: 26, colour: seat_colour(seat.seat), ..Font::MIDDLE };
        svg.text(middle + 14, y, &font, &printed(seat.balance));
    }
}

/// Column and row of each area around the middle, next to its squares.
const SEATS_OF_AREAS: [(i32, i32); 8] = [(2, 2), (1, 2), (0, 2), (0, 1), (0, 0), (1, 0), (2, 0), (2, 1)];

fn pawn(seat: &SeatView, view: &View, svg: &mut Svg) {
    let place = place(seat.square);
    let here: Vec<Seat> = view
        .seats
        .iter()
        .filter(|other| other.square == seat.square && !other.eliminated)
        .map(|other| other.seat)
        .collect();
    let at = here.iter().position(|other| *other == seat.seat).unwrap_or(0);
    let number = |count: usize| u8::try_from(count).map_or(0, i32::from);
    let by = (2 * number(at) - number(here.len()) + 1) * 21 / 2;
    let (x, y) =
        if place.is_flat { (place.lane.0 + by, place.lane.1) } else { (place.lane.0, place.lane.1 + by) };
    svg.seat(seat.seat, x, y, 12);
}
