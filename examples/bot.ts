// A bot that plays both seats of a table to the end, on types that `openapi-typescript` makes of the document:
//
//     npx openapi-typescript http://127.0.0.1:8080/openapi.json --output examples/api.ts
//     npx tsc --target es2022 --module nodenext examples/bot.ts && node examples/bot.js http://127.0.0.1:8080
import type { components } from "./api";

type Schemas = components["schemas"];
type View = Schemas["View"];
type Command = Schemas["Command"];

const server = process.argv[2]?.replace(/\/$/, "");
if (!server) throw new Error("say where the server is: node bot.js http://127.0.0.1:8080");

/** An account, and requests with its token. */
class Player {
  private constructor(private readonly token: string) {}

  static async create(name: string): Promise<Player> {
    const body: Schemas["NewPlayer"] = { name };
    const created: Schemas["NewPlayerView"] = await send("POST", "/v1/players", { body });
    return new Player(created.token);
  }

  get<T>(path: string): Promise<T> {
    return send("GET", path, { token: this.token });
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return send("POST", path, { token: this.token, body });
  }
}

async function send<T>(method: string, path: string, sent: { token?: string; body?: unknown }): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (sent.token) headers["Authorization"] = `Bearer ${sent.token}`;
  if (sent.body !== undefined) headers["Content-Type"] = "application/json";
  const body = sent.body === undefined ? null : JSON.stringify(sent.body);
  const answer = await fetch(server + path, { method, headers, body });
  if (!answer.ok) {
    const problem: Schemas["Problem"] = await answer.json();
    throw new Error(`${method} ${path}: ${problem.code}: ${problem.detail}`);
  }
  return answer.json();
}

/** The first command that is listed, but no loans. */
function choose(view: View): Command {
  const listed = view.legal?.commands.find((one) => one.command.type !== "take_loan");
  if (!listed) throw new Error("nothing can be done");
  return listed.command;
}

/** What the view says of how a game stands: which ruleset it is of tells what its state has. */
function standing(view: View): string {
  if (view.state === null) return "not begun";
  if (view.ruleset === "ecopolis") {
    return view.state.seats.map((seat) => `balance ${seat.balance}`).join(", ");
  }
  return view.state.companies.map((company) => `column ${company.column}`).join(", ");
}

async function play(ruleset: Schemas["RulesetName"]): Promise<void> {
  const players = [await Player.create("Ada"), await Player.create("Bob")];
  const table: Schemas["NewGame"] = { ruleset, seats: 2 };
  const game = await players[0]!.post<Schemas["GameWithReceipt"]>("/v1/games", table);
  await players[1]!.post(`/v1/games/${game.id}/seats`, {});
  let commands = 0;
  for (;;) {
    const now = await players[0]!.get<View>(`/v1/games/${game.id}/view`);
    const seat = now.to_act[0];
    if (seat === undefined) {
      console.log(`${ruleset}: ${commands} commands; ${standing(now)}`);
      return;
    }
    const player = players[seat]!;
    const view = await player.get<View>(`/v1/games/${game.id}/view?with=legal`);
    const command: Schemas["NewCommand"] = { expected_seq: view.seq, command: choose(view) };
    await player.post<Schemas["CommandDone"]>(`/v1/games/${game.id}/commands`, command);
    commands += 1;
  }
}

async function main(): Promise<void> {
  await play("industrial-waste");
  await play("ecopolis");
}

void main();
