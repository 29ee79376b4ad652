//! How fast the ledger is, on one core: whole games verified with all checks, and entries appended.
//!
//! `cargo bench --bench ledger` prints the median of its samples.

use std::{hint::black_box, time::Instant};

use playledger::{
    engine::{Chance, Format, Seats},
    ledger::{
        chain::{Chain, Link},
        document,
        entry::{Body, By, Genesis, Holder, Join, Reason},
        evidence::Evidence,
        receipt::{Receipt, Signer},
        seed::ServerSeed,
        terms::Terms,
        verify::verify,
    },
    rulesets::{AnyStatus, AnyTable, RulesetId},
};
use serde_json::json;

const SAMPLES: usize = 25;
const GAME: &str = "0199a000-0000-7000-8000-000000000001";

fn main() {
    let Some(signer) = Signer::new("play.example", &[42; 32]) else { unreachable!("a good name") };
    let (server_seed, bodies, links) = hosted_game();
    let end = &links[links.len() - 1];
    let receipt =
        |link: &Link| Receipt { format: Format::Two, game: GAME.into(), seq: link.seq, head: link.head };
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

    let appended = median(|| {
        let mut chain = Chain::new(Format::Two);
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
}

type Bodies = Vec<(Body, Vec<playledger::engine::Draw>)>;

/// A game of four seats and fifteen rounds, some 350 commands.
fn hosted_game() -> (ServerSeed, Bodies, Vec<Link>) {
    let server_seed = ServerSeed::new(Format::Two, [7; 32]);
    let (Some(id), Some(seats)) = (RulesetId::current("industrial-waste"), Seats::new(4)) else {
        unreachable!("the game is there")
    };
    let Ok(options) = id.read_options(&json!({"max_rounds": 15}), seats) else {
        unreachable!("good options")
    };
    let mut bodies: Bodies = Vec::new();
    bodies.push((
        Body::Genesis(Box::new(Genesis {
            format: Format::Two,
            game: GAME.into(),
            ruleset: id.name().into(),
            version: id.version().into(),
            options: json!(options),
            seats: 4,
            commit: server_seed.commitment(),
            terms: Terms::default(),
        })),
        vec![],
    ));
    for seat in 0..4 {
        bodies.push((Body::Join(Join { seat, holder: Holder::person(GAME), commit: None }), vec![]));
    }
    bodies.push((Body::Seal, vec![]));
    let sealed = linked(&server_seed, &bodies);
    let seed = server_seed.game_seed(&sealed[sealed.len() - 1].head, &[None; 4]);
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
    bodies.push((Body::End { reason: Reason::Finished, result: json!(finished) }, vec![]));
    let links = linked(&server_seed, &bodies);
    (server_seed, bodies, links)
}

fn linked(server_seed: &ServerSeed, bodies: &Bodies) -> Vec<Link> {
    let mut chain = Chain::new(Format::Two);
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
