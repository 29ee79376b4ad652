//! Any game's log, written and read back, verifies, and replays to the same views.

use serde_json::json;

use super::hosted::{Hosted, check, failed, outcome, random_game, short_game};
use crate::{
    engine::{Chance, Viewer},
    ledger::{
        document::Document,
        encoding::{canonical, read_canonical},
        entry::{Body, By, Holder, Join, Op},
        evidence::Evidence,
        replay::{Setting, replay},
        report::Outcome,
        verify::verify,
    },
    rulesets::RulesetId,
};

#[test]
fn any_game_verifies_and_replays_to_the_same_views() {
    for number in 0..40 {
        let ruleset = RulesetId::ALL[number % RulesetId::ALL.len()].name();
        let hosted = random_game(ruleset, number as u64);
        let document = hosted.document();
        let report = check(&document, &[hosted.receipt(3), hosted.receipt(hosted.chain.next_seq() - 2)]);
        assert_eq!(failed(&report), Vec::<&str>::new(), "{report}");

        let read = Document::read(&document, &|| true).unwrap();
        let first = read.entries().next().unwrap().entry.body;
        let Body::Genesis(genesis) = first else { panic!("no genesis") };
        let setting = Setting::read(&genesis).unwrap();
        let mut table = None;
        for entry in read.entries().map(|recorded| recorded.entry) {
            match &entry.body {
                Body::Start => table = Some(setting.start(Chance::recorded(), entry.draws.clone()).unwrap()),
                Body::Cmd { seat, by, cmd, .. } => {
                    let seat = setting.seats.seat(*seat).unwrap();
                    replay(table.as_mut().unwrap(), seat, by, cmd, entry.draws.clone()).unwrap();
                }
                _ => {}
            }
        }
        let (again, live) = (table.unwrap(), hosted.table.unwrap());
        for viewer in Viewer::all(live.seats()) {
            assert_eq!(again.view(viewer), live.view(viewer));
        }
    }
}

#[test]
fn a_finished_game_passes_every_check_that_is_run() {
    let report = check(&short_game().document(), &[]);
    let run: Vec<u8> =
        report.checks.iter().filter(|check| check.outcome == Outcome::Pass).map(|check| check.no).collect();
    assert_eq!(run, [1, 2, 3, 4, 5, 6, 9], "{report}");
    assert_eq!(report.independent_seats, 2);
}

#[test]
fn a_report_says_what_passed_what_failed_and_what_was_not_run() {
    let report = check(&short_game().document(), &[]);
    let said = report.to_string();
    assert!(!report.failed() && said.contains("Seats that contributed to the shuffle: 2."), "{said}");
    for line in ["3 chain       pass     ", "7 signatures  not run  "] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let report = check(b"{}", &[]);
    let said = report.to_string();
    assert!(report.failed() && said.contains("1 canonical   FAIL     "), "{said}");
    assert!(said.contains("It is not known how many seats contributed to the shuffle."), "{said}");
}

/// A seed that is not the promised one proves nothing of what hangs on it.
#[test]
fn without_its_seed_neither_receipts_nor_draws_are_run() {
    let mut document: serde_json::Value = serde_json::from_slice(&short_game().document()).unwrap();
    document["server_seed"] = json!("00".repeat(32));
    let report = check(&canonical(&document).unwrap(), &[]);
    assert_eq!(outcome(&report, "commitment"), Outcome::Fail);
    for name in ["receipts", "draws"] {
        let check = report.checks.iter().find(|check| check.name == name).unwrap();
        assert_eq!(check.outcome, Outcome::NotRun);
        assert!(check.detail.contains("`commitment` did not pass"), "{report}");
    }
}

#[test]
fn without_a_key_receipts_are_not_run() {
    let document = short_game().document();
    let report = verify(&Evidence { document: &document, ..Evidence::default() });
    assert_eq!(outcome(&report, "receipts"), Outcome::NotRun);
    assert!(!report.failed());
}

#[test]
fn without_entropy_the_report_says_what_the_operator_could_have_done() {
    let mut hosted = Hosted::open(2, &json!({"max_rounds": 1}), 9);
    hosted.fill(&[None, None]);
    hosted.reveal_and_start(&[None, None]);
    while hosted.autopilot() {}
    hosted.end();
    let report = check(&hosted.document(), &[]);
    assert!(!report.failed(), "{report}");
    assert_eq!(report.independent_seats, 0);
    assert!(report.to_string().contains("the operator could have chosen this seed"));
}

/// An old server let a promise be copied: the two that open alike are one secret.
#[test]
fn a_copied_promise_is_no_second_secret() {
    let mut hosted = Hosted::open(3, &json!({"max_rounds": 1}), 9);
    let entropy = [Some([1; 32]), Some([1; 32]), Some([2; 32])];
    hosted.fill(&entropy);
    hosted.reveal_and_start(&entropy);
    while hosted.autopilot() {}
    hosted.end();
    let report = check(&hosted.document(), &[]);
    assert!(!report.failed(), "{report}");
    assert_eq!(report.independent_seats, 2);
}

#[test]
fn void_games_verify_as_far_as_they_went() {
    let mut unsealed = Hosted::open(3, &json!({}), 1);
    unsealed.add(&Body::Join(Join { seat: 0, holder: Holder::person("a"), commit: None }));
    unsealed.add(&Body::Leave { seat: 0 });
    unsealed.call_off();
    let mut silent = Hosted::open(2, &json!({}), 1);
    silent.fill(&[Some([1; 32]), Some([2; 32])]);
    silent.add(&Body::Reveal { seat: 1, entropy: [2; 32] });
    silent.call_off();
    for (hosted, contributors) in [(unsealed, 0), (silent, 1)] {
        let report = check(&hosted.document(), &[]);
        assert!(!report.failed(), "{report}");
        assert_eq!(report.independent_seats, contributors);
        for name in ["draws", "rules"] {
            assert_eq!(outcome(&report, name), Outcome::NotRun);
        }
    }
}

#[test]
fn a_game_whose_promises_were_all_opened_must_start() {
    for entropy in [[None, None], [Some([1; 32]), None]] {
        let mut hosted = Hosted::open(2, &json!({}), 1);
        hosted.fill(&entropy);
        if let Some(entropy) = entropy[0] {
            hosted.add(&Body::Reveal { seat: 0, entropy });
        }
        hosted.call_off();
        assert_eq!(failed(&check(&hosted.document(), &[])), ["entropy"]);
    }
}

#[test]
fn a_seat_that_resigned_does_not_decide_again() {
    let after = |ops: &[Op]| {
        let mut hosted = Hosted::open(2, &json!({"max_rounds": 1, "first_seat": 0}), 9);
        hosted.fill(&[None, None]);
        hosted.reveal_and_start(&[None, None]);
        for op in ops {
            hosted.add(&Body::sys(*op, 0));
        }
        let seat = hosted.seats.first();
        let command = hosted.table.as_ref().unwrap().autopilot(seat).unwrap();
        hosted.submit(seat, By::Player, &command);
        while hosted.autopilot() {}
        hosted.end();
        failed(&check(&hosted.document(), &[]))
    };
    assert_eq!(after(&[]), Vec::<&str>::new());
    assert_eq!(after(&[Op::Autopilot, Op::Resume]), Vec::<&str>::new());
    for wrong in [
        &[Op::Resign][..],
        &[Op::Autopilot],
        &[Op::Resume],
        &[Op::Resign, Op::Resume],
        &[Op::Resign, Op::Resign],
    ] {
        assert_eq!(after(wrong), ["rules"], "{wrong:?}");
    }
}

#[test]
fn rules_that_are_not_known_are_not_judged() {
    let mut hosted = short_game();
    let first = String::from_utf8(hosted.links[0].body.clone()).unwrap();
    hosted.links[0].body = first.replace(r#""version":1"#, r#""version":77"#).into_bytes();
    let report = check(&hosted.document(), &[]);
    assert_eq!(outcome(&report, "rules"), Outcome::NotRun);
    assert_eq!(failed(&report), ["receipts", "draws"], "the head of the seal is another one");
}

#[test]
fn documents_are_canonical_and_bodies_hold_all_their_fields() {
    let hosted = short_game();
    let document = read_canonical(&hosted.document(), usize::MAX).unwrap();
    assert_eq!(document["entries"][1]["body"]["key"], json!(null));
    let choice =
        &document["entries"].as_array().unwrap().iter().find(|e| e["body"]["type"] == "cmd").unwrap()["body"];
    assert_eq!(choice["cmd"], json!({"type": "choose_combination", "column": 0}));
    assert_eq!(choice["by"], "autopilot");
}
