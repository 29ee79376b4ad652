// The signing key of the player, which never leaves the browser. Browsers without such keys, as on pages
// without TLS, play unsigned.

import { hex } from './bytes.js'
import { session } from './store.js'
import { put, take } from './vault.js'

/** @typedef {{secret: CryptoKey, hex: string}} OwnKey */

/** @type {null | 'page' | 'browser'} */
let unsigned = null

/** Returns why this browser does not sign. `page`: only a page with TLS could. */
export const whyUnsigned = () => unsigned

/** @type {Promise<OwnKey | null> | null} */
let own = null

/** Returns the key of the player. Concurrent calls make one. @returns {Promise<OwnKey | null>} */
export function ownKey() {
  own ??= keyOf(session.get()?.player.id ?? '')
  return own
}

/** Another player plays here now. */
export function forgetKey() {
  own = null
}

/**
 * Returns the key of a player in this browser, or makes one.
 * @param {string} player
 * @returns {Promise<OwnKey | null>}
 */
export async function keyOf(player) {
  const known = await take('keys', player).catch(() => null)
  if (known) return known
  const made = await makeKey()
  if (made) await keepKey(player, made)
  return made
}

/** Makes a key without an owner. Returns null if the browser cannot. @returns {Promise<OwnKey | null>} */
export async function makeKey() {
  if (!globalThis.crypto?.subtle) {
    unsigned = 'page'
    return null
  }
  try {
    const pair = /** @type {CryptoKeyPair} */ (
      await crypto.subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify'])
    )
    const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
    return { secret: pair.privateKey, hex: hex(publicKey) }
  } catch {
    unsigned = 'browser'
    return null
  }
}

/** @param {string} player @param {OwnKey} key */
export const keepKey = (player, key) => put('keys', player, key)

/** @param {OwnKey} key @param {Uint8Array<ArrayBuffer>} message */
export const signWith = async (key, message) =>
  hex(new Uint8Array(await crypto.subtle.sign('Ed25519', key.secret, message)))
