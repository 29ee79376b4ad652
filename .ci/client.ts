import type { components, operations } from "./api";

type Command = components["schemas"]["industrial_waste.Command"];
type Move = components["schemas"]["ecopolis.Command"];
type Shown = components["schemas"]["ecopolis.State"];
type View = components["schemas"]["View"];
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

export function offered(move: Move): number {
  return move.type === "propose_trade" ? move.give?.euros ?? 0 : 0;
}

export function standing(state: Shown): number {
  // What a view shows of an offer is complete.
  return state.trade === null || state.trade === undefined ? 0 : state.trade.give.euros;
}

export function toAct(view: View): number | null {
  return view.state === null || view.state === undefined ? null : view.to_act[0] ?? null;
}

export const bid: Command = { type: "bid", amount: 3 };
// @ts-expect-error: there is no such command
export const unknown: Command = { type: "roll" };
// @ts-expect-error: a bid has an amount
export const empty: Command = { type: "bid" };

export type Sent = operations["send_command"]["requestBody"]["content"]["application/json"];
export type Refused = Problem["rule"];
