//! Plans: commands for a player's absence. Only that player can see a plan, or that it exists.

use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::{Reply, game_change::GameChange};
use crate::{
    engine::{Fields, Lang, Malformed, Seat, Text, malformed::one_of},
    ledger::{
        encoding::{LedgerFields as _, canonical},
        plan::{Plan, PlanRule},
    },
    rulesets::{AnyCommand, RulesetId},
    service::{
        ServiceError, Tables,
        games::{LiveGame, Player, access::seat_of},
        request::{Field, Signature, request},
    },
};

request! {
    #[schema(
        example = json!({"rules": [{"phase": "auction", "command": {"type": "bid"}, "up_to": 6}, {"phase": "auction", "command": {"type": "pass_bid"}}]})
    )]
    pub struct NewPlan {
        /// Rules in order of priority. The first rule that names the current phase and is legal is
        /// played. At most 6,000 bytes in the form of the log.
        #[schema(value_type = Vec<PlannedRule>, min_items = 1, max_items = 32)]
        pub rules: PlannedRules,
        /// Required if the seat has keys. `seen` may be an older entry.
        pub signed: Option<Signature>,
    }
}

/// Command to play in one phase.
#[derive(Serialize)]
#[wire]
#[schema(as = PlanRule)]
pub struct PlannedRule {
    /// Phase, as in views.
    pub phase: String,
    /// Command to play. With `up_to`, leave out its number (`amount` or `count`).
    #[schema(value_type = Object)]
    pub command: Value,
    /// Use the least legal number, and only if it is not above this limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub up_to: Option<u64>,
}

/// The caller's plan.
#[derive(Serialize)]
#[wire]
#[schema(as = Plan)]
pub struct PlanView {
    /// Rules of the plan. `null` if there is no plan.
    pub rules: Option<Vec<PlannedRule>>,
}

/// Bytes of all rules as the log writes them. The log repeats them with each move that they decide, and a
/// verifier must still accept the document of the longest game.
const LONGEST: usize = 6_000;

/// The rules of a plan, as far as they can be read without the game.
pub struct PlannedRules(Vec<PlanRule>);

impl Field for PlannedRules {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let rules = PlanRule::read_all(fields.array(name)?, &fields.place(name))?;
        if canonical(&PlanRule::write_all(&rules))?.len() > LONGEST {
            let problem = Text::new(
                format!("must have at most {LONGEST} bytes in all"),
                format!("può avere al massimo {LONGEST} byte in tutto"),
            );
            return Err(fields.wrong(name, problem));
        }
        Ok(Self(rules))
    }
}

impl PlanView {
    fn of(live: &LiveGame, seat: Seat) -> Self {
        let rule = |PlanRule { phase, command, up_to }: &PlanRule| PlannedRule {
            phase: phase.clone(),
            command: command.clone(),
            up_to: *up_to,
        };
        Self { rules: live.plans[seat].as_ref().map(|plan| plan.rules.iter().map(rule).collect()) }
    }
}

impl Tables {
    pub async fn plan(&self, uuid: Uuid, player: &Player) -> Result<PlanView, ServiceError> {
        let locked = self.games.visible(uuid, Some(player)).await?;
        let live = locked.game()?;
        Ok(PlanView::of(live, seat_of(live, player)?))
    }

    /// Stores a plan, which decides at once if its seat must act.
    pub async fn set_plan(&self, uuid: Uuid, player: &Player, sent: NewPlan) -> Result<Reply, ServiceError> {
        let NewPlan { rules: PlannedRules(rules), signed } = sent;
        let (locked, seat) = self.seat_in_play(uuid, player).await?;
        let live = locked.game()?;
        let plan = Plan { rules, signed: self.linked(live, player, seat, signed.as_ref()).await? };
        check_rules(live.game.setting.ruleset, &plan.rules)?;
        self.check_signature(live, seat, &plan).await?;
        let change = self.begin(locked)?;
        self.keep_plan(change, seat, Some((player, plan))).await
    }

    pub async fn drop_plan(&self, uuid: Uuid, player: &Player) -> Result<(), ServiceError> {
        let locked = self.games.visible(uuid, Some(player)).await?;
        let seat = seat_of(locked.game()?, player)?;
        let change = self.begin(locked)?;
        self.keep_plan(change, seat, None).await.map(|_| ())
    }

    async fn keep_plan(
        &self,
        mut change: Box<GameChange>,
        seat: Seat,
        plan: Option<(&Player, Plan)>,
    ) -> Result<Reply, ServiceError> {
        change.plan(seat, plan.map(|(player, plan)| (player.key, plan)));
        change = self.with_consequences(change).await?;
        self.commit(change, None, |live| {
            let plan = PlanView::of(live, seat);
            || plan
        })
        .await
    }

    /// The signer may have seen an earlier entry, whose head is then read.
    async fn check_signature(&self, live: &LiveGame, seat: Seat, plan: &Plan) -> Result<(), ServiceError> {
        let (newest, seen) = (live.game.seq(), plan.signed.as_ref().map(|signed| signed.seen));
        let earlier = match seen.filter(|seen| *seen < newest) {
            Some(seen) => self.store.entries(live.facts.key, seen, 1).await?.first().map(|entry| entry.head),
            None => None,
        };
        let head = earlier.unwrap_or_else(|| *live.game.chain.head());
        let game = live.facts.uuid.to_string();
        let consent = live.game.consent_to_plan(&game, seat.number().into(), plan, &head)?;
        consent.map_err(ServiceError::BadSignature)
    }
}

/// Fails unless the rules name phases and commands of the game. A rule with a wrong name would never apply.
fn check_rules(ruleset: RulesetId, rules: &[PlanRule]) -> Result<(), Malformed> {
    let phases = ruleset.catalogue(Lang::En).phases;
    let check = |(place, rule): (usize, &PlanRule)| {
        let known = || phases.iter().map(|phase| phase.id);
        let phase = if known().any(|id| id == rule.phase) {
            Ok(())
        } else {
            Err(Malformed::new(format!("rules[{place}].phase"), one_of(Some(&rule.phase), known())))
        };
        let command = read_rule(ruleset, rule);
        let moved = |wrong: Malformed| wrong.moved("command", &format!("rules[{place}].command"));
        Malformed::both(phase, command.map_err(moved)).map(|_| ())
    };
    Malformed::every(rules.iter().enumerate().map(check)).map(|_| ())
}

fn read_rule(ruleset: RulesetId, rule: &PlanRule) -> Result<AnyCommand, Malformed> {
    if rule.up_to.is_none() {
        return ruleset.read_command(&rule.command);
    }
    let with = |field: &str| {
        let mut whole = rule.command.clone();
        let fields = whole.as_object_mut().filter(|fields| !fields.contains_key(field))?;
        fields.insert(field.to_owned(), 1.into());
        ruleset.read_command(&whole).ok()
    };
    let open = ruleset.open_numbers();
    open.iter().find_map(|field| with(field)).ok_or_else(|| {
        let fields: Vec<_> = open.iter().map(|field| format!("`{field}`")).collect();
        let problem = Text::new(
            format!("is not a command of this game; with `up_to`, leave out {}", fields.join(" or ")),
            format!("non è un comando di questo gioco; con `up_to` va senza {}", fields.join(" o ")),
        );
        Malformed::new("command", problem)
    })
}
