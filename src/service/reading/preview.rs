//! Previews of tables: texts for links in chats, and pictures of positions. Everyone who follows a link may
//! see them, so they show the public view alone.

use uuid::Uuid;

use super::{game_view::result_of, prompt};
use crate::{
    engine::{
        Caption, Chance, Format, Lang, Seats, Seed, Viewer, Voice,
        picture::Standing,
        voice::{printed, say},
    },
    ledger::{encoding::hex, game::Game},
    rulesets::{AnyTable, RulesetId},
    service::{
        Reading, ServiceError, aside,
        cost::{self, Work},
        games::{LiveGame, Player, access::may_see},
    },
    words::{Status, Visibility},
};

/// Texts about a table.
#[derive(Debug)]
pub struct Preview {
    pub title: String,
    pub text: String,
    pub ruleset: RulesetId,
    /// Whether search engines may show the table.
    pub is_listed: bool,
    /// The newest entry with a picture that everyone may see.
    pub pictured: Option<u64>,
}

/// A drawn position.
pub struct Drawing {
    pub svg: String,
    /// Whether everyone may see it.
    pub is_public: bool,
}

impl Preview {
    /// Names the game alone, for tables that are not public.
    pub fn of_ruleset(ruleset: RulesetId, lang: Lang) -> Self {
        let (title, text) = (ruleset.title(lang).to_owned(), ruleset.summary(lang).to_owned());
        Self { title, text, ruleset, is_listed: false, pictured: None }
    }

    fn of(live: &LiveGame, lang: Lang) -> Self {
        let (game, ruleset) = (&live.game, live.game.setting.ruleset);
        if live.facts.visibility != Visibility::Public {
            return Self::of_ruleset(ruleset, lang);
        }
        let voice = live.people.voice(lang, game);
        let name = live.facts.title.as_deref();
        let players = voice.seats(game.setting.seats.iter().filter(|seat| game.sitting(*seat).is_some()));
        let title = match name.unwrap_or(&players) {
            "" => ruleset.title(lang).to_owned(),
            name => format!("{}: {name}", ruleset.title(lang)),
        };
        let standings = standings(game, &voice);
        let text = [prompt::text(game, Viewer::Spectator, &voice), standings].join(" ").trim().to_owned();
        let pictured = game.table.as_ref().map(|_| game.seq());
        Self { title, text, ruleset, is_listed: true, pictured }
    }

    fn of_invite(live: &LiveGame, lang: Lang) -> Self {
        let (game, ruleset) = (&live.game, live.game.setting.ruleset);
        let voice = live.people.voice(lang, game);
        let mut seated = game.setting.seats.iter().filter(|seat| game.sitting(*seat).is_some());
        let (host, title) = (seated.next().map(|seat| voice.name(seat)), ruleset.title(lang));
        let (taken, all) = (seated.count() + usize::from(host.is_some()), game.setting.seats.iter().count());
        let title = match host {
            Some(host) => {
                say!(voice, "{host} invites you to {title}", "{host} ti invita a giocare a {title}")
            }
            None => say!(voice, "You are invited to {title}", "Ti invitano a giocare a {title}"),
        };
        let text = if game.status() == Status::Open {
            say!(voice, "{taken} of {all} players are here.", "Giocatori presenti: {taken} di {all}.")
        } else {
            say!(voice, "The table is full. You can watch.", "Il tavolo è completo. Puoi guardare.")
        };
        let text = [&text, ruleset.summary(lang)].join(" ");
        Self { title, text, ruleset, is_listed: false, pictured: None }
    }
}

/// Returns the public standings in a sentence.
fn standings(game: &Game, voice: &Voice) -> String {
    let Some(table) = &game.table else { return String::new() };
    let (standings, labels) = table.view(Viewer::Spectator).standings(voice.lang);
    if standings.is_empty() {
        return String::new();
    }
    let of_seat = |standing: &Standing| format!("{} {}", voice.name(standing.seat), printed(standing.score));
    let all: Vec<String> = standings.iter().map(of_seat).collect();
    format!("{} ({}).", all.join(", "), labels.score)
}

/// Draws the first position of a game, for links that lead to no position.
pub fn cover(ruleset: RulesetId, lang: Lang) -> Option<String> {
    let seats = Seats::new(u64::from(*ruleset.seats().end()))?;
    let options = ruleset.read_options(&serde_json::json!({}), seats).ok()?;
    let table = AnyTable::start(&options, seats, Chance::seeded(Seed::new(Format::Three, [0; 32])));
    let (title, prompt) = (ruleset.title(lang), ruleset.summary(lang).to_owned());
    let caption =
        Caption { title, prompt, to_act: None, winner: None, game: String::new(), mark: String::new() };
    Some(table.view(Viewer::Spectator).picture(&caption, &Voice::new(lang, seats, |_| None)))
}

/// Draws the public view of a game.
fn draw(uuid: Uuid, game: &Game, voice: &Voice) -> Option<String> {
    let table = game.table.as_ref()?;
    let (seq, head) = (game.seq(), hex(&game.chain.head()[..6]));
    let is_over = game.status() == Status::Finished;
    let winner = result_of(game).and_then(|places| places.into_iter().find(|place| place.place == 1));
    let caption = Caption {
        title: game.setting.ruleset.title(voice.lang),
        prompt: prompt::text(game, Viewer::Spectator, voice),
        to_act: game.to_act().filter(|_| !is_over),
        winner: winner.map(|best| best.seat),
        game: uuid.to_string(),
        mark: say!(voice, "after move {seq} \u{b7} {head}", "dopo la mossa {seq} \u{b7} {head}"),
    };
    Some(table.view(Viewer::Spectator).picture(&caption, voice))
}

impl Reading {
    /// Returns the preview of a table. Tables that are not public give the name of their game alone.
    pub async fn preview(&self, uuid: Uuid, lang: Lang) -> Result<Preview, ServiceError> {
        let locked = self.games.lock(uuid).await?;
        Ok(Preview::of(locked.game()?, lang))
    }

    /// Returns the preview of an invitation, which tells who invites: its code is the right to know.
    pub async fn invite_preview(&self, code: &str, lang: Lang) -> Result<Preview, ServiceError> {
        let uuid = self.invited_to(code).await?;
        let locked = self.games.lock(uuid).await?;
        let live = locked.game()?;
        if live.game.status() != Status::Open && !may_see(live, None) {
            return Ok(Preview::of_ruleset(live.game.setting.ruleset, lang));
        }
        Ok(Preview::of_invite(live, lang))
    }

    /// Returns the newest entry of a table that the caller may see.
    pub async fn newest(&self, uuid: Uuid, caller: Option<&Player>) -> Result<u64, ServiceError> {
        let locked = self.games.visible(uuid, caller).await?;
        Ok(locked.game()?.game.seq())
    }

    /// Draws the public view after an entry. Fails before the game starts.
    pub async fn drawing(
        &self,
        uuid: Uuid,
        seq: u64,
        caller: Option<&Player>,
        lang: Lang,
    ) -> Result<Drawing, ServiceError> {
        let locked = self.games.visible(uuid, caller).await?;
        let live = locked.game()?;
        let (newest, is_public) = (live.game.seq(), live.facts.visibility != Visibility::Private);
        if seq > newest {
            return Err(ServiceError::NoEntry { newest });
        }
        cost::charge(Work::Picture { is_png: false });
        let people = live.people.clone();
        let drawn = if seq == newest {
            let (game, voice) = (live.game.clone(), people.voice(lang, &live.game));
            drop(locked);
            aside(move || Ok(draw(uuid, &game, &voice))).await?
        } else {
            let game = (uuid, live.facts.key);
            drop(locked);
            let of_entry =
                move |step: super::PastEntry| Ok(draw(uuid, step.game, &people.voice(lang, step.game)));
            Box::pin(self.walk(game, seq, 1, of_entry)).await?.pop().flatten()
        };
        let svg = drawn.ok_or(ServiceError::NoGame)?;
        Ok(Drawing { svg, is_public })
    }
}
