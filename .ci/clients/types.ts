// The types of the strict document narrow.

import type { components, operations } from "./api";

type Command = components["schemas"]["Command"];
type Shown = components["schemas"]["ecopolis.State"];
type Schemas = components["schemas"];
type View = Schemas["View"];
type Event = Schemas["GameEvent"];
type NewGame = Schemas["NewGame"];
type Problem = components["schemas"]["Problem"];

// A union is told apart by its tag: each branch knows its own fields and no others.
export function cost(command: Command): number {
  switch (command.type) {
    case "bid":
      return command.amount;
    case "take_loan":
      return command.count;
    case "innovate":
      return 5 * command.areas.length;
    default:
      return 0;
  }
}

export function offered(move: Command): number {
  return move.type === "propose_trade" ? move.give?.euros ?? 0 : 0;
}

export function standing(state: Shown): number {
  // What a view shows of an offer is complete.
  return state.trade === null ? 0 : state.trade.give.euros;
}

// A view says of which ruleset it is, and with that what its state has.
export function balance(view: View): number | null {
  if (view.ruleset === "ecopolis") return view.state?.seats[0]?.balance ?? null;
  return view.state?.companies[0]?.column ?? null;
}

// So does an event, and no event of one game passes for one of the other.
export function told(event: Event): string {
  if (event.ruleset === "table") return event.type;
  if (event.ruleset === "ecopolis") return event.type === "dice_rolled" ? event.dice.join(" ") : event.type;
  return event.type === "card_dealt" ? event.card : event.type;
}

// The bodies of the README.
export const table: NewGame = { ruleset: "industrial-waste", seats: 2, options: { max_rounds: 2 } };
export const other: NewGame = { ruleset: "ecopolis", seats: 3, visibility: "private", clock: { move_seconds: 86400 } };
// @ts-expect-error: an option of the other game
export const mixed: NewGame = { ruleset: "ecopolis", seats: 2, options: { open_cash: true } };
export const sent: Sent = { expected_seq: 4, command: { type: "grow" } };
export const key: Schemas["NewToken"] = { name: "bot", scopes: ["play"] };
// @ts-expect-error: not an event of this game
export const foreign: Event = { ruleset: "ecopolis", type: "accident_drawn" };

export const bid: Command = { type: "bid", amount: 3 };
// @ts-expect-error: there is no such command
export const unknown: Command = { type: "castle" };
// @ts-expect-error: a bid has an amount
export const empty: Command = { type: "bid" };

export type Sent = operations["send_command"]["requestBody"]["content"]["application/json"];
export type Refused = Problem["rule"];
