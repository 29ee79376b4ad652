// Signing in and out, and the accounts of this browser.

import { get, isShutOut, send, untilHeard } from '../base/api.js'
import { openInbox } from '../base/inbox.js'
import { codeOf, isOfDevice, linkTo } from '../base/devices.js'
import { forgetKey } from '../base/own_key.js'
import { kept, playAs, session } from '../base/store.js'

/** @typedef {import('../base/store.js').Session} Session */

/** Returns the current player, unless its token has expired. */
export const here = () => (isShutOut() ? null : session.get())

/**
 * Returns the account of a code. The current player stays.
 * @param {string} typed
 * @returns {Promise<Session>}
 */
export async function sessionOf(typed) {
  if (isOfDevice(typed)) {
    const { code, secret } = codeOf(typed)
    const { token, player, ...linked } = await send('POST', '/v1/sessions', { code })
    // Without the link, this device still plays.
    await linkTo({ token, player, ...linked }, secret).catch(() => null)
    return { token, player }
  }
  const { token, recovery } = await send('POST', '/v1/recoveries', { code: typed.trim() })
  // The next request makes the old code invalid, so the new one is stored first.
  const nameless = { token, recovery, player: { id: '', name: null } }
  kept.add(nameless)
  const found = { ...nameless, player: await untilHeard(() => get('/v1/me', token), Infinity) }
  kept.drop(nameless)
  kept.add(found)
  return found
}

/** Lets an account play here. @param {Session} next */
export function enterAs(next) {
  // Forgets an expired account without a recovery code.
  if (isShutOut() && !session.get()?.recovery) session.set(null)
  playAs(next)
  forgetKey()
  openInbox()
}

/** Revokes a token of this browser, if the server is reachable. @param {string} token */
export async function endToken(token) {
  const { items = [] } = await get('/v1/me/tokens?limit=100', token).catch(() => ({}))
  const own = items.find((/** @type {any} */ { current }) => current)
  if (own) await send('DELETE', `/v1/me/tokens/${own.id}`, undefined, token).catch(() => null)
}

/** Forgets an account of this browser. @param {Session} one */
export async function signOutOf(one) {
  await endToken(one.token)
  kept.drop(one)
}
