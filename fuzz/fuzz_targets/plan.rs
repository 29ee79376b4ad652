//! Plans and signed parts: written again, they read the same. The effect of a plan, and the legality of
//! commands, are equal on all tables that the seat cannot tell apart.
#![no_main]

use libfuzzer_sys::fuzz_target;
use playledger::{
    engine::{Chance, Fields, Format, Seats, Seed, Viewer, json},
    ledger::{plan::Plan, signed::Signed},
    rulesets::{AnyTable, RulesetId},
};

fuzz_target!(|bytes: &[u8]| {
    // The first line determines the games so far; the rest is the request.
    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else { return };
    let (moves, sent) = (&bytes[..end], &bytes[end + 1..]);
    let Ok(sent) = json::parse(sent) else { return };
    if let Ok(signed) = Signed::of(&sent, "signed".into()) {
        assert_eq!(Signed::of(&signed.write(), "signed".into()).unwrap(), signed);
        assert!(!signed.key.has_signed(moves, &signed.sig), "nobody has signed this");
    }
    if let Ok(mut fields) = Fields::of(&sent, "") {
        let _ = Signed::read(&mut fields);
    }
    let plan = Plan::read(&sent, "plan").ok();
    if let Some(plan) = &plan {
        assert!(Plan::read(&plan.write(), "plan").unwrap() == *plan);
        assert_eq!(format!("{plan:?}"), "Plan(secret)");
    }
    for ruleset in RulesetId::ALL {
        let seats = Seats::new(3).unwrap();
        let options = ruleset.read_options(&serde_json::json!({}), seats).unwrap();
        let mut table = AnyTable::start(&options, seats, Chance::seeded(Seed::new(Format::Three, [7; 32])));
        for choice in moves.iter().take(64) {
            let Some(seat) = table.to_act() else { return };
            let legal = table.legal(seat).commands;
            table.submit(seat, &legal[usize::from(*choice) % legal.len()].command).unwrap();
        }
        let Some(seat) = table.to_act() else { continue };
        let other = table.redealt(Viewer::Seat(seat), Chance::seeded(Seed::new(Format::Three, [9; 32])));
        if let Some(plan) = &plan {
            assert!(plan.choice(&table, seat) == plan.choice(&other, seat), "a plan is an oracle");
        }
        if let Ok(command) = ruleset.read_command(&sent) {
            assert_eq!(
                table.check(seat, &command).is_ok(),
                other.check(seat, &command).is_ok(),
                "a draft is an oracle"
            );
        }
    }
});
