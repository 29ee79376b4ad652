// The signed message of a player who takes a seat (game, seat and terms), and player ids derived from keys.

import { be64, canonical, frame, hash, hex, unhex, utf8 } from './bytes.js'

const TERMS = /** @type {const} */ ([
  'clock',
  'event',
  'options',
  'previous',
  'rated',
  'rules',
  'seats',
  'substitutes',
  'takebacks',
])

/** The terms of a table. @param {any} genesis */
export const termsOf = (genesis) => Object.fromEntries(TERMS.map((name) => [name, genesis[name]]))

/** @param {string} game @param {number} seat @param {any} who a `join` or a `hand`, or what is to become one
 * @param {string} nonce @param {any} genesis */
export function seatingMessage(game, seat, { type, player, commit }, nonce, genesis) {
  const what = { type, player, nonce, terms: termsOf(genesis), ...(type === 'join' ? { commit } : {}) }
  return frame('fairlog/3 join', utf8(game), be64(seat), utf8(canonical(what)))
}

/** Returns the id of an account created with this key. @param {string} key */
export async function derivedId(key) {
  const bytes = (await hash('player', unhex(key) ?? new Uint8Array())).slice(0, 16)
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
