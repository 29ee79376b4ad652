// Signatures: with them no one else, and not even the server, can move for a player.

import type { components } from './api.js'
import { be64, canonical, frame, hex, unhex, utf8 } from './bytes.js'

type Schemas = components['schemas']

/** The members of the first entry that a player agrees to by joining. */
export const TERMS = [
  'clock',
  'event',
  'options',
  'previous',
  'rated',
  'rules',
  'seats',
  'substitutes',
  'takebacks',
] as const

/** Game, seat, and newest entry that the signer has seen. Use a head that you computed yourself (`Chain`). */
export interface Spot {
  game: string
  seat: number
  seen: number
  head: string
}

export interface Joining {
  game: string
  seat: number
  /** Id of the player who joins. */
  player: string
  /** The promise to share in the shuffle (`share`), or null. */
  commit: string | null
  terms: Record<(typeof TERMS)[number], unknown>
}

/** Returns an id for a new game: a UUID of version 7. */
export function gameId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes.set(be64(Date.now()).slice(2))
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** A key of a player, in this program only. */
export class PlayerKey {
  private constructor(
    readonly hex: string,
    readonly pair: CryptoKeyPair,
  ) {}

  /** Makes a key. `extractable` lets `pair.privateKey` be exported, to store it. */
  static async generate(extractable = false): Promise<PlayerKey> {
    return PlayerKey.of(
      (await crypto.subtle.generateKey('Ed25519', extractable, ['sign', 'verify'])) as CryptoKeyPair,
    )
  }

  static async of(pair: CryptoKeyPair): Promise<PlayerKey> {
    return new PlayerKey(hex(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))), pair)
  }

  /** Signs commands, as `legal` of a view lists them. */
  commands(spot: Spot, commands: unknown[]): Promise<Schemas['Signature']> {
    return this.act(spot, { type: 'cmd', cmds: commands })
  }

  /** Signs another act, such as `{type: 'resign'}`; "Acting" in the log format lists them. */
  async act(spot: Spot, act: { type: string; [member: string]: unknown }): Promise<Schemas['Signature']> {
    const { game, seat, seen, head } = spot
    const message = frame('act', utf8(game), be64(seat), be64(seen), unhex(head), canonical(act))
    return { key: this.hex, seen, sig: await this.#sign(message) }
  }

  /** Signs a join. To create a game, choose its id yourself (a UUID of version 7). */
  async join({ game, seat, player, commit, terms }: Joining): Promise<Schemas['SeatClaim']> {
    const nonce = hex(crypto.getRandomValues(new Uint8Array(32)))
    const agreed = Object.fromEntries(TERMS.map((name) => [name, terms[name]]))
    const what = { type: 'join', player, commit, nonce, terms: agreed }
    return {
      key: this.hex,
      nonce,
      sig: await this.#sign(frame('join', utf8(game), be64(seat), canonical(what))),
    }
  }

  async #sign(message: Uint8Array<ArrayBuffer>): Promise<string> {
    return hex(new Uint8Array(await crypto.subtle.sign('Ed25519', this.pair.privateKey, message)))
  }
}
