//! The page: a client for people, which uses this API as any other client does. A browser is given the files
//! joined at the first request; nothing has to be built before.

pub mod bundle;

/// The page itself. `{files}` is replaced by the path of its files, `{head}` by its title and description.
pub const PAGE: &str = include_str!("page.html");

/// The icon. Other sizes are drawn from it.
pub const ICON: &str = include_str!("icon.svg");

/// The service worker. It has one address for ever, from which it reaches the whole page.
pub const WORKER: &str = include_str!("worker.js");

macro_rules! files {
    ($($path:literal),+ $(,)?) => { &[$(($path, include_str!($path))),+] };
}

/// Every other file: its path, and its text.
pub const FILES: &[(&str, &str)] = files![
    "admin/page.js",
    "base/api.js",
    "base/asking.js",
    "base/bytes.js",
    "base/devices.js",
    "base/fill.js",
    "base/finding.js",
    "base/icons.js",
    "base/inbox.js",
    "base/instance.js",
    "base/invitations.js",
    "base/keys.js",
    "base/log.js",
    "base/markdown.js",
    "base/notes.js",
    "base/own_key.js",
    "base/places.js",
    "base/points.js",
    "base/push.js",
    "base/qr.js",
    "base/receipts.js",
    "base/reveal.js",
    "base/route.js",
    "base/screen.js",
    "base/seat_keys.js",
    "base/seating.js",
    "base/seats.js",
    "base/sign.js",
    "base/sound.js",
    "base/statement.js",
    "base/store.js",
    "base/stream.js",
    "base/taken.js",
    "base/time.js",
    "base/vault.js",
    "base/view.js",
    "base/words.js",
    "check/chain.js",
    "check/clock.js",
    "check/document.js",
    "check/draws.js",
    "check/entries.js",
    "check/page.js",
    "check/players.js",
    "check/proofs.js",
    "check/receipts.js",
    "check/signatures.js",
    "check/standing.js",
    "check/tenures.js",
    "check/verdict.js",
    "check/verify.js",
    "games/figure.js",
    "games/ecopolis/account.js",
    "games/ecopolis/balance.js",
    "games/ecopolis/board.js",
    "games/ecopolis/changes.js",
    "games/ecopolis/debts.js",
    "games/ecopolis/details.js",
    "games/ecopolis/figures.js",
    "games/ecopolis/geometry.js",
    "games/ecopolis/hand.js",
    "games/ecopolis/moments.js",
    "games/ecopolis/print.js",
    "games/ecopolis/province.js",
    "games/ecopolis/square.js",
    "games/ecopolis/strip.js",
    "games/ecopolis/territories.js",
    "games/ecopolis/trade.js",
    "games/ecopolis/tray.js",
    "games/ecopolis/warnings.js",
    "games/industrial-waste/board.js",
    "games/industrial-waste/cards.js",
    "games/industrial-waste/changes.js",
    "games/industrial-waste/figures.js",
    "games/industrial-waste/mats.js",
    "games/industrial-waste/moments.js",
    "games/industrial-waste/print.js",
    "games/industrial-waste/tray.js",
    "games/industrial-waste/warnings.js",
    "games/industrial-waste/worth.js",
    "games/prints.js",
    "home/acquaintances.js",
    "home/apps.js",
    "home/blocks.js",
    "home/call_me.js",
    "home/code.js",
    "home/consent.js",
    "home/devices.js",
    "home/first.js",
    "home/game_card.js",
    "home/home.js",
    "home/invite.js",
    "home/lids.js",
    "home/machines.js",
    "home/mail_link.js",
    "home/new_table.js",
    "home/parts.js",
    "home/report.js",
    "home/rules.js",
    "home/settings.js",
    "home/sign_in.js",
    "home/tables.js",
    "home/thumbnail.js",
    "home/told.js",
    "home/webhooks.js",
    "main.js",
    "style/base.css",
    "style/check.css",
    "style/ecopolis.css",
    "style/home.css",
    "style/industrial-waste.css",
    "style/table.css",
    "table/clock.js",
    "table/draft.js",
    "table/each_once.js",
    "table/exploration.js",
    "table/lobby.js",
    "table/log.js",
    "table/menu.js",
    "table/model.js",
    "table/moments.js",
    "table/page.js",
    "table/past.js",
    "table/plan.js",
    "table/playback.js",
    "table/prompt.js",
    "table/result.js",
    "table/scrubber.js",
    "table/sentences.js",
    "table/side.js",
    "table/talk.js",
    "table/tray.js",
    "texts.js",
    "texts/check.js",
    "texts/findings.js",
    "texts/home.js",
    "texts/moderation.js",
    "texts/moments.js",
    "texts/table.js",
    "texts/told.js",
];

/// The media type of a file of this name.
pub fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.') {
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    }
}

/// A file as it is sent: comments, types and indentation stay in the source, where they are read. No text of
/// the page goes over several lines.
pub fn sent(text: &str) -> String {
    let mut sent = String::with_capacity(text.len());
    let mut in_comment = false;
    for line in text.lines() {
        let bare = line.trim();
        let begins = bare.starts_with("/*") && (bare.ends_with("*/") || !bare.contains("*/"));
        if in_comment || begins {
            in_comment = !bare.ends_with("*/");
        } else if !bare.is_empty() && !bare.starts_with("//") {
            sent.push_str(bare);
            sent.push('\n');
        }
    }
    sent
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;

    fn found(folder: &Path, root: &Path, paths: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found(&path, root, paths);
            } else {
                paths.insert(path.strip_prefix(root).unwrap().display().to_string());
            }
        }
    }

    #[test]
    fn every_file_of_the_page_is_given_out() {
        let (root, mut paths) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web"), BTreeSet::new());
        found(&root, &root, &mut paths);
        let given = FILES.iter().map(|(path, _)| (*path).to_owned());
        let own =
            ["mod.rs", "bundle.rs", "icon.svg", "page.html", "types.d.ts", "worker.js", "check/command.js"]
                .map(str::to_owned);
        assert_eq!(paths, given.chain(own).collect());
    }

    #[test]
    fn the_page_asks_no_other_host_for_anything() {
        for (path, text) in FILES.iter().chain([&("page.html", PAGE), &("worker.js", WORKER)]) {
            let foreign = text.match_indices("//").filter(|(at, _)| text[..*at].ends_with(':'));
            let named: Vec<&str> = foreign
                .map(|(at, _)| text[at..].split(['"', '\'', '`']).next().unwrap_or_default())
                .collect();
            let known = |url: &&str| url.starts_with("//www.w3.org/");
            assert!(named.iter().all(known), "{path}: {named:?}");
        }
    }

    /// Foreign texts are put on the page as text, and in no other way.
    #[test]
    fn the_page_makes_no_markup_and_no_code_of_a_text() {
        let makers = [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "DOMParser",
            "srcdoc",
            "eval(",
            "new Function",
        ];
        for (path, text) in FILES.iter().chain([&("page.html", PAGE), &("worker.js", WORKER)]) {
            let used: Vec<&str> = makers.into_iter().filter(|maker| text.contains(maker)).collect();
            assert!(used.is_empty(), "{path}: {used:?}");
        }
    }

    #[test]
    fn what_is_sent_is_the_source_without_its_comments() {
        let source =
            "// Why.\n\n/** @type {A}\n * more */\nlet a = /** @type {B} */ (b) // kept\n  /* c */\n  go()\n";
        assert_eq!(sent(source), "let a = /** @type {B} */ (b) // kept\ngo()\n");
        for (path, text) in FILES {
            let code = sent(text);
            let exports =
                |text: &str| text.matches("\nexport ").count() + usize::from(text.starts_with("export "));
            assert_eq!(exports(text), exports(&code), "{path}: nothing but comments is left out");
        }
    }

    #[test]
    fn a_file_of_the_page_is_short_enough_to_be_read() {
        for (path, text) in FILES {
            assert!(text.lines().count() <= 400, "{path} has {} lines", text.lines().count());
        }
    }
}
