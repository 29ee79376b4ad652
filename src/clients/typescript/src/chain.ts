// The chain of a game, computed by the client itself.

import { canonical, hash, hex, unhex } from './bytes.js'

/** An entry of the log, as `GET /v1/games/{id}/log` returns it. */
export interface LogEntry {
  body: { seq: number; [member: string]: unknown }
  x: string
  head: string
}

/** The heads of a game. */
export class Chain {
  #head = '0'.repeat(64)
  #next = 0

  /** Number of the newest entry. -1: none. */
  get seq(): number {
    return this.#next - 1
  }

  get head(): string {
    return this.#head
  }

  /** Adds entries in their order. Fails if the server tells another history than before. */
  async add(entries: readonly unknown[]): Promise<void> {
    for (const { body, x, head } of entries as LogEntry[]) {
      if (body.seq < this.#next) continue
      const leaf = await hash('leaf', canonical(body), unhex(x))
      const computed = hex(await hash('head', unhex(this.#head), leaf))
      if (body.seq !== this.#next || computed !== head)
        throw new Error(`entry ${this.#next} does not continue the chain`)
      this.#head = head
      this.#next += 1
    }
  }
}

/** A share in the shuffle: join with `commit`, and reveal `entropy` when the table is sealed. */
export async function share(): Promise<{ commit: string; entropy: string }> {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return { commit: hex(await hash('client', bytes)), entropy: hex(bytes) }
}

/** Returns the game that a receipt is for, its entry, and its head. */
export function readReceipt(note: string): { game: string; seq: number; head: string } {
  const [title, game, seq, , head] = note.split('\n')
  if (title !== 'fairlog/3 receipt' || !game || !seq || !head) throw new Error('this is no receipt')
  return { game, seq: Number(seq), head }
}
