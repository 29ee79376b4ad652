//! Speed of the ledger on one core: whole games verified with all checks, and entries appended.
//!
//! `cargo bench --bench ledger` prints the median of its samples.

use std::{error::Error, hint::black_box, time::Instant};

use playledger::{
    engine::{Chance, Draw, Format, Seats},
    ledger::{
        chain::{Chain, Link},
        consequence::Consequence,
        document,
        entry::{Body, By, Genesis, Holder, Join, PlainAct, Reason},
        evidence::Evidence,
        game::{Dealer, Game},
        message::{Message, Seating, Spot},
        player_secret::PlayerSecret,
        receipt::Receipt,
        seed::ServerSeed,
        signed::PartOfRequest,
        terms::Terms,
        verify::verify,
    },
    rulesets::{AnyStatus, AnyTable, RulesetId},
    tree::signer::Signer,
};
use serde_json::json;

const SAMPLES: usize = 25;
const GAME: &str = "0199a000-0000-7000-8000-000000000001";

fn main() -> Result<(), Box<dyn Error>> {
    let Some(signer) = Signer::new("play.example", &[42; 32]) else { unreachable!("a good name") };
    let (server_seed, bodies, links) = hosted_game();
    let end = &links[links.len() - 1];
    let receipt = |link: &Link| Receipt { game: GAME.into(), seq: link.seq, at: link.at, head: link.head };
    let document =
        document::write(links.iter().map(Link::parts), &server_seed, &signer.sign(&receipt(end)), &[]);
    println!("a finished game of {} entries, {} bytes", links.len(), document.len());

    let keys = [signer.verifier_key()];
    let verified = median(|| {
        let report = verify(&Evidence { document: &document, keys: &keys, ..Evidence::default() });
        assert!(!report.failed(), "{report}");
    });
    let entries = f64::from(u32::try_from(links.len()).unwrap_or(u32::MAX));
    println!("  verified, all checks: {:.2} ms, {:.0} entries a second", verified * 1e3, entries / verified);

    let document = signed_game(&signer)?;
    let verified = median(|| {
        let report = verify(&Evidence { document: &document, keys: &keys, ..Evidence::default() });
        assert!(!report.failed(), "{report}");
    });
    println!("  a game of {SIGNED} signed commands: verified in {:.2} ms", verified * 1e3);

    let appended = median(|| {
        let mut chain = Chain::new(Format::Three);
        for (body, draws) in &bodies {
            let _ = black_box(chain.append(&server_seed, 1, body, draws));
        }
    });
    println!("  appended (encode and hash): {:.0} entries a second", entries / appended);
    let signing = median(|| {
        for link in &links {
            black_box(signer.sign(&receipt(link)));
        }
    });
    println!("  signed: {:.0} receipts a second", entries / signing);
    println!("  appended and signed: {:.0} entries a second", entries / (appended + signing));
    Ok(())
}

/// Signed commands of a game.
const SIGNED: usize = 300;

/// Returns a signed game that ends by resignations.
fn signed_game(signer: &Signer) -> Result<Vec<u8>, Box<dyn Error>> {
    let (server_seed, bodies, _) = hosted_game();
    let secrets: Vec<PlayerSecret> = (1..=4).map(|byte| PlayerSecret::new(&[byte; 32])).collect();
    let Some((Body::Genesis(genesis), _)) = bodies.first() else { return Err("no genesis".into()) };
    let mut game = Game::open(genesis, Dealer::Seed(server_seed.clone()))?;
    let mut links = vec![game.decide(1, &bodies[0].0)?];
    for (seat, secret) in (0..).zip(&secrets) {
        let (holder, seating) = (Holder::person(GAME), Seating::Join { player: GAME, commit: None });
        let nonce = *secret.public().as_bytes();
        let signed = Some(secret.claim(seating, (GAME, seat), nonce, &genesis.terms)?);
        links.push(game.decide(1, &Body::Join(Join { seat, holder, commit: None, signed }))?);
    }
    links.push(game.decide(1, &Body::Start)?);
    for _ in 0..SIGNED {
        let seat = game.to_act().ok_or("the game is over")?;
        let command = game.table.as_ref().and_then(|table| table.autopilot(seat)).ok_or("a decision")?;
        let (cmd, seat) = (json!(command), u64::from(seat.number()));
        let spot = Spot { game: GAME, seat, seen: game.seq(), head: game.chain.head() };
        let signed = secrets[place(seat)].sign(&Message::commands(&[&cmd])?, spot);
        let signed = Some(PartOfRequest { signed, no: 0, of: 1 });
        links.push(game.decide_command(1, &Body::Cmd { seat, by: By::Player, cmd, signed }, &command)?);
    }
    for seat in 0..3 {
        let spot = Spot { game: GAME, seat, seen: game.seq(), head: game.chain.head() };
        let signed = Some(secrets[place(seat)].sign(&Message::act(PlainAct::Resign), spot));
        links.push(game.decide(1, &Body::Act { act: PlainAct::Resign, seat, signed })?);
        while let Some(next) = game.consequence()? {
            links.push(match next {
                Consequence::Entry(body) => game.decide(1, &body)?,
                Consequence::Command(body, command) => game.decide_command(1, &body, &command)?,
            });
        }
    }
    let end = &links[links.len() - 1];
    let receipt = signer.sign(&Receipt { game: GAME.into(), seq: end.seq, at: end.at, head: end.head });
    Ok(document::write(links.iter().map(Link::parts), &server_seed, &receipt, &[]))
}

fn place(seat: u64) -> usize {
    usize::try_from(seat).unwrap_or_default()
}

type Bodies = Vec<(Body, Vec<Draw>)>;

/// A game of four seats and fifteen rounds, some 350 commands.
fn hosted_game() -> (ServerSeed, Bodies, Vec<Link>) {
    let server_seed = ServerSeed::new([7; 32]);
    let (Some(id), Some(seats)) = (RulesetId::current("industrial-waste"), Seats::new(4)) else {
        unreachable!("the game is there")
    };
    let Ok(options) = id.read_options(&json!({"max_rounds": 15}), seats) else {
        unreachable!("good options")
    };
    let mut bodies: Bodies = Vec::new();
    bodies.push((
        Body::Genesis(Box::new(Genesis {
            format: Format::Three,
            game: GAME.into(),
            commit: server_seed.commitment(),
            terms: Terms::of(id.name(), id.version().into(), json!(options), 4),
        })),
        vec![],
    ));
    for seat in 0..4 {
        bodies.push((
            Body::Join(Join { seat, holder: Holder::person(GAME), commit: None, signed: None }),
            vec![],
        ));
    }
    let full = linked(&server_seed, &bodies);
    let seed = server_seed.game_seed(&full[full.len() - 1].head, &[None; 4]);
    let mut table = AnyTable::start(&options, seats, Chance::seeded(seed));
    bodies.push((Body::Start, table.draws().to_vec()));
    let finished = loop {
        let to_act = match table.status() {
            AnyStatus::ToAct(to_act) => to_act,
            AnyStatus::Finished(outcome) => break outcome,
        };
        let Some(command) = table.autopilot(to_act) else { unreachable!("a decision") };
        let accepted = table.submit(to_act, &command);
        assert!(accepted.is_ok(), "the autopilot's command");
        let cmd = json!(command);
        let body = Body::cmd(to_act.number().into(), By::Player, cmd);
        bodies.push((body, table.draws().to_vec()));
    };
    bodies.push((Body::end(Reason::Finished, json!(finished)), vec![]));
    let links = linked(&server_seed, &bodies);
    (server_seed, bodies, links)
}

fn linked(server_seed: &ServerSeed, bodies: &Bodies) -> Vec<Link> {
    let mut chain = Chain::new(Format::Three);
    bodies.iter().filter_map(|(body, draws)| chain.append(server_seed, 1, body, draws).ok()).collect()
}

fn median(mut work: impl FnMut()) -> f64 {
    work();
    let mut times: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let begin = Instant::now();
            work();
            begin.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[SAMPLES / 2]
}
