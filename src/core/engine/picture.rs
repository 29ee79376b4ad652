//! Pictures of positions, as SVG: a board at the left, the standings at the right.

use std::fmt::{Arguments, Write as _};

use super::{Lang, Ruleset, Seat, Voice, voice::printed};

/// Size of a picture, as previews of links want it. The board is a square at the left.
pub const WIDTH: i32 = 1_200;
pub const HEIGHT: i32 = 630;

/// Left edge of the standings.
const PANEL: i32 = 660;
const RIGHT: i32 = WIDTH - 40;
const INK: &str = "#1d2125";
const GREY: &str = "#525960";
const PAPER: &str = "#f8f5ec";
const SEAT_COLOURS: [&str; 4] = ["#0254ac", "#c14d00", "#004f2d", "#952968"];

/// A game whose positions can be drawn. Without own functions a picture shows the players alone.
pub trait Pictured: Ruleset {
    /// Returns the standing of each seat, as far as the viewer may see it.
    fn standings(_: &Self::View, _: Lang) -> Vec<Standing> {
        Vec::new()
    }

    /// Returns the name of the scores, and the round.
    fn labels(_: &Self::View, _: Lang) -> Labels {
        Labels::default()
    }

    /// Draws the board into a square of [`HEIGHT`].
    fn draw(_: &Self::View, _: &mut Svg) {}
}

/// The standing of a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    pub seat: Seat,
    pub score: i64,
    /// Further numbers, in words.
    pub text: String,
    /// Whether the seat still takes part.
    pub is_in: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Labels {
    pub score: &'static str,
    pub round: String,
}

/// Texts of a picture that are not in the view.
pub struct Caption<'c> {
    pub title: &'c str,
    /// The decision, or the result.
    pub prompt: String,
    pub to_act: Option<Seat>,
    /// The first of those who won.
    pub winner: Option<Seat>,
    /// Name the game and the position, so that a picture in a dispute can be looked up. Empty for a cover.
    pub game: String,
    pub mark: String,
}

/// Returns the picture of a view.
pub fn picture<R: Pictured>(view: &R::View, caption: &Caption, voice: &Voice) -> String {
    let mut svg = Svg::new();
    R::draw(view, &mut svg);
    let (labels, standings) = (R::labels(view, voice.lang), R::standings(view, voice.lang));
    let small = Font { size: 20, ..Font::GREY };
    svg.text(PANEL, 62, &Font { size: 36, ..Font::BOLD }, caption.title);
    svg.text(RIGHT, 62, &Font { size: 24, anchor: Anchor::End, ..Font::GREY }, &labels.round);
    for (line, text) in (0_u8..).zip(broken(&caption.prompt, 40).iter().take(2)) {
        svg.text(PANEL, 104 + 30 * i32::from(line), &Font { size: 24, ..Font::GREY }, text);
    }
    svg.text(RIGHT, 172, &Font { anchor: Anchor::End, ..small }, labels.score);
    for (place, standing) in (0_u8..).zip(&standings) {
        standing.draw(182 + 95 * i32::from(place), &standings, caption, voice, &mut svg);
    }
    if !caption.mark.is_empty() {
        badge(caption, &mut svg);
    }
    svg.text(PANEL, HEIGHT - 22, &Font { size: 16, ..Font::GREY }, &caption.game);
    svg.text(PANEL, HEIGHT - 46, &Font { size: 18, ..Font::GREY }, &caption.mark);
    svg.end()
}

/// Draws in the corner of the board who decides, or at the end who has won. Small copies of the picture show
/// little else.
fn badge(caption: &Caption, svg: &mut Svg) {
    let Some(seat) = caption.to_act.or(caption.winner) else { return };
    let (fill, edge) = if caption.to_act.is_some() { (PAPER, seat_colour(seat)) } else { ("#f5bf21", INK) };
    svg.add(format_args!(
        r#"<circle cx="36" cy="38" r="31" fill="{fill}" stroke="{edge}" stroke-width="5"/>"#
    ));
    svg.seat(seat, 36, 38, 18);
}

impl Standing {
    /// Returns whether no seat is better.
    fn leads(&self, all: &[Self]) -> bool {
        self.is_in && all.iter().all(|other| !other.is_in || other.score <= self.score)
    }

    fn draw(&self, top: i32, all: &[Self], caption: &Caption, voice: &Voice, svg: &mut Svg) {
        let leads = self.leads(all);
        let decides = caption.to_act == Some(self.seat);
        let (width, colour) = (RIGHT - PANEL + 24, seat_colour(self.seat));
        let left = PANEL - 12;
        let (fill, edge) = match (decides, leads) {
            (true, _) => ("#fffdf7", colour),
            (false, true) => ("#fffdf7", "#cdc6b4"),
            (false, false) => ("none", "#cdc6b4"),
        };
        svg.add(format_args!(
            r#"<rect x="{left}" y="{top}" width="{width}" height="84" rx="10" fill="{fill}" stroke="{edge}" stroke-width="{}"/>"#,
            if decides { 4 } else { 1 }
        ));
        svg.seat(self.seat, PANEL + 24, top + 42, 20);
        let font = Font { size: 32, ..if leads { Font::BOLD } else { Font::PLAIN } };
        svg.text(PANEL + 62, top + 40, &font, &shortened(voice.name(self.seat), 20));
        svg.text(PANEL + 62, top + 70, &Font { size: 18, ..Font::GREY }, &self.text);
        let score = if self.is_in { printed(self.score) } else { "\u{2014}".to_owned() };
        let font = Font { size: 48, anchor: Anchor::End, ..if leads { Font::BOLD } else { Font::PLAIN } };
        svg.text(RIGHT - 8, top + 59, &font, &score);
    }
}

pub fn seat_colour(seat: Seat) -> &'static str {
    SEAT_COLOURS[usize::from(seat.number()) % SEAT_COLOURS.len()]
}

/// Cuts a name that is too long for its place.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['\u{2026}']).collect()
}

/// Breaks a text into lines.
pub fn broken(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut().filter(|line| line.chars().count() + word.chars().count() < most) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(shortened(word, most)),
        }
    }
    lines
}

#[derive(Clone, Copy)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Clone, Copy)]
pub struct Font {
    pub size: i32,
    pub is_bold: bool,
    pub colour: &'static str,
    pub anchor: Anchor,
}

impl Font {
    pub const PLAIN: Self = Self { size: 20, is_bold: false, colour: INK, anchor: Anchor::Start };
    pub const BOLD: Self = Self { is_bold: true, ..Self::PLAIN };
    pub const GREY: Self = Self { colour: GREY, ..Self::PLAIN };
    pub const MIDDLE: Self = Self { anchor: Anchor::Middle, ..Self::BOLD };
}

/// A picture that is being drawn.
pub struct Svg(String);

impl Svg {
    fn new() -> Self {
        let mut svg = Self(String::with_capacity(32 * 1_024));
        svg.add(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" font-family="DejaVu Sans, Verdana, sans-serif">"#
        ));
        svg.add(format_args!(r#"<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>"#));
        svg
    }

    fn end(mut self) -> String {
        self.0.push_str("</svg>");
        self.0
    }

    /// Adds elements. Their texts are constants and numbers; texts of people are drawn by [`Self::text`].
    pub fn add(&mut self, elements: Arguments) {
        let _ = self.0.write_fmt(elements);
    }

    /// Draws a text, whose signs become no markup.
    pub fn text(&mut self, x: i32, y: i32, font: &Font, text: &str) {
        let anchor = match font.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (size, colour, weight) = (font.size, font.colour, if font.is_bold { "bold" } else { "normal" });
        self.add(format_args!(
            r#"<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" font-weight="{weight}" text-anchor="{anchor}">"#
        ));
        for sign in text.chars() {
            match sign {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                // XML has no place for control characters.
                sign if sign.is_control() => self.0.push(' '),
                sign => self.0.push(sign),
            }
        }
        self.0.push_str("</text>");
    }

    /// Draws the shape of a seat about a point.
    pub fn seat(&mut self, seat: Seat, x: i32, y: i32, r: i32) {
        let colour = seat_colour(seat);
        let path = match seat.number() {
            0 => format!("M{} {y}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z", x - r, d = 2 * r),
            1 => format!("M{} {}h{d}v{d}h-{d}z", x - r * 9 / 10, y - r * 9 / 10, d = r * 9 / 5),
            2 => {
                format!("M{x} {}L{} {low}H{}z", y - r, x + r * 11 / 10, x - r * 11 / 10, low = y + r * 9 / 10)
            }
            _ => {
                let r = r * 23 / 20;
                format!("M{x} {}L{} {y}L{x} {}L{} {y}z", y - r, x + r, y + r, x - r)
            }
        };
        self.add(format_args!(r#"<path d="{path}" fill="{colour}" stroke="{PAPER}" stroke-width="1.5"/>"#));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_a_player_is_no_markup() {
        let mut svg = Svg::new();
        svg.text(0, 0, &Font::PLAIN, "<script>&\u{1}\n");
        assert!(svg.end().contains("&lt;script&gt;&amp;  </text>"));
    }

    #[test]
    fn long_texts_are_broken_and_cut() {
        assert_eq!(broken("one two three", 8), ["one two", "three"]);
        assert_eq!(broken("incomprehensible", 6), ["incom\u{2026}"]);
        assert_eq!(shortened("Ada", 3), "Ada");
    }
}
