//! Commands and options of every game: written again, they read the same, and a game answers each command.
#![no_main]

use libfuzzer_sys::fuzz_target;
use playledger::{
    engine::{Chance, Format, Seats, Seed, json},
    rulesets::{AnyTable, RulesetId},
};

fuzz_target!(|bytes: &[u8]| {
    let Ok(sent) = json::parse(bytes) else { return };
    let seats = Seats::new(3).unwrap();
    for ruleset in RulesetId::ALL {
        if let Ok(options) = ruleset.read_options(&sent, seats) {
            let written = serde_json::to_value(&options).unwrap();
            assert_eq!(ruleset.read_options(&written, seats).unwrap(), options);
        }
        let Ok(command) = ruleset.read_command(&sent) else { continue };
        let written = serde_json::to_value(&command).unwrap();
        assert_eq!(ruleset.read_command(&written).unwrap(), command);
        let options = ruleset.read_options(&serde_json::json!({}), seats).unwrap();
        let mut table = AnyTable::start(&options, seats, Chance::seeded(Seed::new(Format::Three, [7; 32])));
        for seat in seats.iter() {
            let allowed = table.check(seat, &command).is_ok();
            assert_eq!(table.submit(seat, &command).is_ok(), allowed);
        }
    }
});
