// Signs acts of a seat automatically, but only for a history that this browser has computed.

import { be64, canonical, frame, unhex, utf8 } from './bytes.js'
import { isLinked } from './devices.js'
import { broken, readTrueLog } from './log.js'
import { ownKey, signWith } from './own_key.js'

/** @typedef {{key: string, seen: number, sig: string}} Signature */
/** @typedef {{game: string, seq: number, head: string, seat: number}} Spot */

/**
 * A signed act.
 * @typedef {{type: 'cmd', cmds: any[]} | {type: 'takeback', to: number} | {type: 'revoke', keys: string[]} | {type: 'plan', rules: any[]} | {type: 'hand', player: string, bot: null, taken: any} | {type: 'resign' | 'resume' | 'pause' | 'continue' | 'rekey'}} Act
 */

/**
 * Signs an act, if the seat has keys. A new key signs for itself.
 * @param {Spot} spot
 * @param {Act} act
 * @returns {Promise<{signed?: Signature}>}
 */
export async function sign(spot, act) {
  const key = await ownKey()
  if (!key) return {}
  const log = await readTrueLog(spot.game)
  const hasKeys = (log.seats[spot.seat]?.keys.inForce.length ?? 0) > 0
  if (!hasKeys && act.type !== 'rekey') return {}
  if (log.heads[spot.seq] !== spot.head) throw broken()
  const message = frame(
    'fairlog/3 act',
    utf8(spot.game),
    be64(spot.seat),
    be64(spot.seq),
    unhex(spot.head) ?? new Uint8Array(),
    utf8(canonical(act)),
  )
  return { signed: { key: key.hex, seen: spot.seq, sig: await signWith(key, message) } }
}

/**
 * Returns whether no key of the seat is linked to this browser: its player has lost them.
 * @param {string} game
 * @param {number} seat
 */
export async function isKeyless(game, seat) {
  const [key, log] = await Promise.all([ownKey(), readTrueLog(game)])
  const keys = log.seats[seat]?.keys
  if (!keys || keys.inForce.length === 0) return false
  return key === null || !(keys.inForce.includes(key.hex) || (await isLinked(key.hex, keys)))
}
