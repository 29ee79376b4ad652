// A device statement: two keys of a player, signed by both.

import { frame, unhex, utf8 } from './bytes.js'
import { verifies } from './points.js'

/** @param {string | null | undefined} text */
const bytes = (text) => unhex(text ?? '') ?? new Uint8Array()

/** Returns the bytes that both keys sign. @param {string} player @param {string[]} keys ascending */
export const statementMessage = (player, keys) => frame('fairlog/3 device', utf8(player), ...keys.map(bytes))

/**
 * Returns whether both keys signed the statement for this player.
 * @param {string} player
 * @param {{keys: string[], sigs: (string | null)[]}} statement
 */
export async function isSignedByBoth(player, { keys, sigs }) {
  const message = statementMessage(player, keys)
  const fits = await Promise.all(keys.map((key, no) => verifies(bytes(key), bytes(sigs[no]), message)))
  return fits.every(Boolean)
}
