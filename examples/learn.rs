//! Trains a network to predict which seat finishes ahead, from games against itself.
//!
//! `cargo run --release --no-default-features --example learn -- ecopolis 80 net.txt`: eighty rounds of two
//! thousand games each. The file has the network as whole numbers; an existing file is trained further. The
//! compiled networks (`src/core/rulesets/*/net.txt`) were made with it; `playledger arena` measures their
//! strength.
#![allow(clippy::unwrap_used)]

use std::{env, fs, sync::Mutex, thread, time::Instant};

use playledger::{
    bots::{Net, Playable, Style, Thought, senses},
    engine::{Chance, Format, Ruleset, Seat, Seats, Seed, Status, Table, random_words::mix},
    rulesets::{ecopolis::Ecopolis, industrial_waste::IndustrialWaste},
};

const UNITS: usize = 40;
const GAMES: u64 = 2_000;
const THREADS: u64 = 2;
/// Weight of the game's end in the target of a moment, compared with the next moment.
const LAMBDA: f32 = 0.85;

/// A moment of a game for a pair of seats, and its result.
struct Moment {
    row: Vec<i16>,
    target: f32,
}

/// The network during training.
#[derive(Clone)]
struct Pupil {
    inputs: usize,
    weights: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Pupil {
    fn new(inputs: usize, dice: &mut Dice) -> Self {
        let count = UNITS * inputs + 2 * UNITS + 1;
        let mut weights = vec![0.0; count];
        weights[..UNITS * inputs].iter_mut().for_each(|weight| *weight = (dice.part() - 0.5) * 0.3);
        weights[UNITS * inputs..][..UNITS].iter_mut().for_each(|bias| *bias = 0.3 + dice.part() * 0.4);
        weights[UNITS * inputs + UNITS..count - 1]
            .iter_mut()
            .for_each(|weight| *weight = (dice.part() - 0.5) * 0.5);
        Self { inputs, mean: vec![0.0; count], square: vec![0.0; count], weights, steps: 0 }
    }

    fn read(text: &str) -> Self {
        let numbers: Vec<f32> = text.split_ascii_whitespace().map(|number| number.parse().unwrap()).collect();
        let weights: Vec<f32> = numbers[2..].iter().map(|weight| weight / 256.0).collect();
        let count = weights.len();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        Self {
            inputs: numbers[0] as usize,
            weights,
            mean: vec![0.0; count],
            square: vec![0.0; count],
            steps: 0,
        }
    }

    #[allow(clippy::cast_possible_truncation)]
    fn whole(&self) -> Vec<i32> {
        self.weights.iter().map(|weight| (weight * 256.0).round().clamp(-32_000.0, 32_000.0) as i32).collect()
    }

    fn net(&self) -> Net {
        Net::new(self.inputs, UNITS, &self.whole()).unwrap()
    }

    /// Trains with a batch of moments (Adam). Returns the mean error.
    fn learn(&mut self, moments: &[&Moment], rate: f32) -> f32 {
        let (biases, last) = (UNITS * self.inputs, UNITS * self.inputs + UNITS);
        let mut gradient = vec![0.0_f32; self.weights.len()];
        let mut loss = 0.0;
        for moment in moments {
            let row: Vec<f32> = moment.row.iter().map(|sense| f32::from(*sense) / 64.0).collect();
            let mut lit = [0.0_f32; UNITS];
            let mut open = [0.0_f32; UNITS];
            let mut sum = self.weights[last + UNITS];
            for unit in 0..UNITS {
                let weights = &self.weights[unit * self.inputs..][..self.inputs];
                let seen: f32 = weights.iter().zip(&row).map(|(weight, sense)| weight * sense).sum();
                let seen = seen + self.weights[biases + unit];
                lit[unit] = seen.clamp(0.0, 1.0);
                open[unit] = if (0.0..1.0).contains(&seen) { 1.0 } else { 0.01 };
                sum += lit[unit] * self.weights[last + unit];
            }
            let said = 1.0 / (1.0 + (-sum).exp());
            let wrong = said - moment.target;
            loss += wrong * wrong;
            gradient[last + UNITS] += wrong;
            for unit in 0..UNITS {
                gradient[last + unit] += wrong * lit[unit];
                let blame = wrong * self.weights[last + unit] * open[unit];
                gradient[biases + unit] += blame;
                let into = &mut gradient[unit * self.inputs..][..self.inputs];
                into.iter_mut().zip(&row).for_each(|(into, sense)| *into += blame * sense);
            }
        }
        self.step(&gradient, moments.len(), rate);
        loss
    }

    #[allow(clippy::cast_precision_loss)]
    fn step(&mut self, gradient: &[f32], count: usize, rate: f32) {
        self.steps += 1;
        let (warm, warmer) = (1.0 - 0.9_f32.powi(self.steps), 1.0 - 0.999_f32.powi(self.steps));
        for (place, slope) in gradient.iter().enumerate() {
            let slope = slope / count as f32 + 1e-6 * self.weights[place];
            self.mean[place] = 0.9 * self.mean[place] + 0.1 * slope;
            self.square[place] = 0.999 * self.square[place] + 0.001 * slope * slope;
            self.weights[place] -=
                rate * (self.mean[place] / warm) / ((self.square[place] / warmer).sqrt() + 1e-6);
        }
    }
}

/// Random numbers of this program.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    #[allow(clippy::cast_precision_loss)]
    fn part(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }
}

fn table<R: Playable>(seats: Seats, number: u64) -> Table<R> {
    let options = R::read_options(&serde_json::json!({}), seats).unwrap();
    let mut bytes = [0x5e; 32];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    Table::start(&options, seats, Chance::seeded(Seed::new(Format::default(), bytes)))
}

/// Plays a game to its end, showing the table to `look` whenever another seat is to act.
fn play<R: Playable>(table: &mut Table<R>, styles: &[Style], seed: u64, mut look: impl FnMut(&Table<R>)) {
    let mut dice = Dice(seed);
    let mut before = None;
    while let Status::ToAct(seat) = table.status() {
        if before.replace(seat) != Some(seat) {
            look(table);
        }
        let style = styles[usize::from(seat.number())];
        let command = Thought::of(table, seat, dice.next()).decide(style).unwrap();
        table.submit(seat, &command).unwrap();
    }
}

fn places<R: Playable>(table: &Table<R>) -> Vec<(Seat, u8)> {
    let Status::Finished(outcome) = table.status() else { unreachable!() };
    R::placements(outcome).iter().map(|placed| (placed.seat, placed.place)).collect()
}

/// Returns the moments of a game of one style against itself, valued by a network.
fn moments<R: Playable>(seats: Seats, number: u64, style: Style, net: Option<&Net>) -> Vec<Moment> {
    let mut table = table::<R>(seats, number);
    let pairs: Vec<(Seat, Seat)> = seats
        .iter()
        .flat_map(|one| seats.iter().map(move |other| (one, other)))
        .filter(|(one, other)| one != other)
        .collect();
    let mut lines: Vec<Vec<Vec<i16>>> = vec![Vec::new(); pairs.len()];
    play(&mut table, &vec![style; seats.count().into()], number, |table| {
        for (line, (one, other)) in lines.iter_mut().zip(&pairs) {
            line.push(senses(table, *one, *other));
        }
    });
    let places = places(&table);
    let place = |seat: Seat| places.iter().find(|(of, _)| *of == seat).unwrap().1;
    let mut moments = Vec::new();
    for (line, (one, other)) in lines.into_iter().zip(pairs) {
        let mut target = match place(one).cmp(&place(other)) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        };
        for row in line.into_iter().rev() {
            #[allow(clippy::cast_precision_loss)]
            let said = net.map(|net| net.chance(&row) as f32 / 10_000.0);
            moments.push(Moment { row, target });
            target = said.map_or(target, |said| LAMBDA * target + (1.0 - LAMBDA) * said);
        }
    }
    moments
}

fn in_threads<T: Send>(count: u64, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let (next, done) = (Mutex::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let number = {
                        let mut next = next.lock().unwrap();
                        *next += 1;
                        *next - 1
                    };
                    if number >= count {
                        break;
                    }
                    let result = work(number);
                    done.lock().unwrap().push(result);
                }
            });
        }
    });
    done.into_inner().unwrap()
}

/// Returns how often the first style wins against the others, in turn at each seat.
#[allow(clippy::cast_precision_loss)]
fn compare<R: Playable>(first: Style, others: Style, count: u8, games: u64) -> f64 {
    let seats = Seats::new(count.into()).unwrap();
    let points = in_threads(games, |number| {
        let at = usize::try_from(number % u64::from(count)).unwrap();
        let styles: Vec<Style> =
            (0..usize::from(count)).map(|seat| if seat == at { first } else { others }).collect();
        let mut table = table::<R>(seats, 900_000_000 + number / u64::from(count));
        play(&mut table, &styles, number ^ 0xabcd, |_| {});
        let places = places(&table);
        let mine = places.iter().find(|(seat, _)| usize::from(seat.number()) == at).unwrap().1;
        let level = places.iter().filter(|(_, place)| *place == 1).count() as f64;
        if mine == 1 { 1.0 / level } else { 0.0 }
    });
    points.iter().sum::<f64>() / games as f64
}

fn teach<R: Playable + Ruleset>(rounds: u64, file: &str) {
    let mut dice = Dice(u64::from(std::process::id()));
    let two = Seats::new(2).unwrap();
    let inputs = senses(&table::<R>(two, 0), two.first(), two.seat(1).unwrap()).len();
    let mut pupil =
        fs::read_to_string(file).map_or_else(|_| Pupil::new(inputs, &mut dice), |text| Pupil::read(&text));
    let known = fs::exists(file).unwrap();
    let mut kept: Vec<Moment> = Vec::new();
    let start = dice.next() >> 20;
    for round in 0..rounds {
        let began = Instant::now();
        let net = pupil.net();
        let judge = (known || round > 0).then_some(&net);
        // Habits are what a search simulates, so that they are what the network judges.
        let style = Style { judge: judge.filter(|_| !R::HABITS), slips: Some(16), ..Style::THUMB };
        let games = in_threads(GAMES, |number| {
            let count = [2, 2, 2, 2, 2, 2, 3, 4][usize::try_from(number % 8).unwrap()];
            moments::<R>(Seats::new(count).unwrap(), start + round * GAMES + number, style, judge)
        });
        let fresh: Vec<Moment> = games.into_iter().flatten().collect();
        let count = fresh.len();
        kept.extend(fresh);
        let surplus = kept.len().saturating_sub(count * 5);
        kept.drain(..surplus);
        #[allow(clippy::cast_precision_loss)]
        let rate = 0.0015 * (1.0 - 0.9 * round as f32 / rounds as f32);
        let (mut loss, mut seen) = (0.0, 0_u32);
        for _ in 0..count / 64 {
            let some: Vec<&Moment> = (0..64).map(|_| &kept[dice.below(kept.len())]).collect();
            loss += pupil.learn(&some, rate);
            seen += 64;
        }
        let text: Vec<String> = pupil.whole().iter().map(i32::to_string).collect();
        let lines: Vec<String> = text.chunks(inputs).map(|chunk| chunk.join(" ")).collect();
        fs::write(file, format!("{inputs} {UNITS}\n{}\n", lines.join("\n"))).unwrap();
        #[allow(clippy::cast_precision_loss)]
        let off = loss / seen as f32;
        print!("round {round}: {count} moments, off by {off:.4}, {:.1} s", began.elapsed().as_secs_f32());
        if round % 10 == 9 || round + 1 == rounds {
            let net = pupil.net();
            let one_ply = Style { judge: Some(&net), ..Style::THUMB };
            let two = compare::<R>(one_ply, Style::THUMB, 2, 400);
            let four = compare::<R>(one_ply, Style::THUMB, 4, 200);
            print!("; wins against the rule of thumb: {two:.3} of two, {four:.3} of four");
        }
        println!();
    }
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let [_, game, rounds, file] = &arguments[..] else {
        eprintln!("usage: learn GAME ROUNDS FILE");
        std::process::exit(2);
    };
    let rounds = rounds.parse().unwrap();
    match game.as_str() {
        Ecopolis::NAME => teach::<Ecopolis>(rounds, file),
        IndustrialWaste::NAME => teach::<IndustrialWaste>(rounds, file),
        _ => eprintln!("no such game"),
    }
}
