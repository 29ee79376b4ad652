import type { components, operations } from "./api";

type Command = components["schemas"]["industrial_waste.Command"];
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
