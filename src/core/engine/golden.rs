//! Golden games: whole games in files, which every later build must play to the same bytes.
//!
//! A file has a line for the start and for each command: the command, its draws, and a digest of everything
//! that any viewer saw after it. `PLAYLEDGER_GOLDEN=write cargo test golden` creates missing files and never
//! changes existing ones.

use std::{fs, path::Path};

use data_encoding::HEXLOWER;
use serde_json::{Value, json};

use super::{
    Chance, Draw, DrawShape, Format, Ruleset, Seat, Seats, Seed, Table, Viewer,
    conformance::{RandomGame, Specimen, TestDice},
    json,
};

/// A game that is worth keeping.
pub struct Wanted<R: Ruleset> {
    pub name: &'static str,
    pub is: fn(&Played<R>) -> bool,
}

/// A game that was played to its end.
pub struct Played<R: Ruleset> {
    pub seats: Seats,
    pub options: R::Options,
    pub events: Vec<R::EventView>,
    pub table: Table<R>,
}

/// Plays every file of the folder again and compares it. Each wanted game must exist.
pub fn check<R: Specimen>(folder: &str, wanted: &[Wanted<R>]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    for wanted in wanted {
        let path = folder.join(format!("{}.jsonl", wanted.name));
        let kept = kept(&path, || find(wanted));
        let lines: Vec<Value> = kept.lines().map(|line| json::parse(line.as_bytes()).unwrap()).collect();
        let (again, played) = play::<R>(&lines[0], &lines[1..]);
        assert_same(&path, &again, &kept);
        assert!((wanted.is)(&played), "{} is what its name says", wanted.name);
    }
}

/// Compares a text with a file, line by line.
pub fn compare(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    assert_same(&path, text, &kept(&path, || text.to_owned()));
}

/// Returns the content of a file, which may be created first.
fn kept(path: &Path, make: impl FnOnce() -> String) -> String {
    if !path.exists() && std::env::var("PLAYLEDGER_GOLDEN").as_deref() == Ok("write") {
        fs::write(path, make()).unwrap();
    }
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn assert_same(path: &Path, text: &str, kept: &str) {
    for (number, (line, kept)) in text.lines().zip(kept.lines()).enumerate() {
        assert_eq!(line, kept, "{} line {}", path.display(), number + 1);
    }
    assert_eq!(text, kept, "{}", path.display());
}

/// Plays a game from its first line and its commands, and writes its lines.
fn play<R: Specimen>(start: &Value, commands: &[Value]) -> (String, Played<R>) {
    let seats = Seats::new(start["seats"].as_u64().unwrap()).unwrap();
    let options = R::read_options(&start["options"], seats).unwrap();
    let seed = u8::try_from(start["seed"].as_u64().unwrap()).unwrap();
    let mut table = Table::<R>::start(&options, seats, Chance::seeded(Seed::new(Format::Three, [seed; 32])));
    let mut events = table.events(Viewer::Spectator);
    let mut text = line(&json!({
        "ruleset": R::NAME, "version": R::VERSION, "seats": seats.count(), "options": options,
        "seed": seed, "draws": draws(&table), "seen": seen(&table),
    }));
    for sent in commands {
        let seat = seats.seat(sent["seat"].as_u64().unwrap()).unwrap();
        let command = R::read_command(&sent["command"]).unwrap();
        assert_eq!(table.submit(seat, &command), Ok(()), "{sent}");
        events.extend(table.events(Viewer::Spectator));
        text.push_str(&line(&json!({
            "seat": seat, "command": command, "draws": draws(&table), "seen": seen(&table),
        })));
    }
    (text, Played { seats, options, events, table })
}

fn line(value: &Value) -> String {
    format!("{value}\n")
}

fn draws<R: Ruleset>(table: &Table<R>) -> Value {
    let shape = |draw: &Draw| match &draw.shape {
        DrawShape::Shuffle(size) => json!({"shuffle": size}),
        DrawShape::Roll(bounds) => json!({"roll": bounds}),
    };
    let draws = table.draws().iter();
    draws.map(|draw| json!({"use": draw.label, "n": draw.n, "of": shape(draw), "out": draw.out})).collect()
}

/// Returns a digest of what every viewer sees, heard and may do.
fn seen<R: Ruleset>(table: &Table<R>) -> String {
    let all: Vec<Value> = Viewer::all(table.seats())
        .map(|viewer| {
            let legal = if let Viewer::Seat(seat) = viewer { Some(table.legal(seat)) } else { None };
            json!([table.view(viewer), table.events(viewer), legal])
        })
        .collect();
    HEXLOWER.encode(&Format::Three.hash("golden", &[json!(all).to_string().as_bytes()]))
}

/// Searches random games for a wanted one.
fn find<R: Specimen>(wanted: &Wanted<R>) -> String {
    for number in 0..1_000_000 {
        let mut dice = TestDice::new(number);
        let seed = dice.below(256);
        let mut game = RandomGame::<R>::begin(number);
        let start = json!({"seats": game.table.seats().count(), "options": game.options, "seed": seed});
        let seed = Seed::new(Format::Three, [u8::try_from(seed).unwrap(); 32]);
        game.table = Table::start(&game.options, game.table.seats(), Chance::seeded(seed));
        let mut commands = Vec::new();
        let _ = game.play(|_, seat: Seat, command| commands.push(json!({"seat": seat, "command": command})));
        let (text, played) = play::<R>(&start, &commands);
        if (wanted.is)(&played) {
            return text;
        }
    }
    panic!("no random game is {}", wanted.name)
}
