// Signing in and out, and the accounts that this browser keeps.

import { get, isShutOut, send, untilHeard } from '../base/api.js'
import { openInbox } from '../base/inbox.js'
import { forgetKey } from '../base/sign.js'
import { kept, playAs, session } from '../base/store.js'

/** @typedef {import('../base/store.js').Session} Session */

/** Whether a code is of another device, or else for recovery: one has four groups, the other six. @param {string} code */
export const isOfDevice = (code) => code.replace(/[^0-9A-Za-z]/g, '').length === 16

/** Who plays here and is still let in. */
export const here = () => (isShutOut() ? null : session.get())

/** The account that a code opens. Who plays here stays. @param {string} typed @returns {Promise<Session>} */
export async function sessionOf(typed) {
  const code = typed.trim()
  if (isOfDevice(code)) return send('POST', '/v1/sessions', { code })
  const { token, recovery } = await send('POST', '/v1/recoveries', { code })
  // From the next request on the old code is good for nothing: the new one is kept before it.
  const nameless = { token, recovery, player: { id: '', name: null } }
  kept.add(nameless)
  const found = { ...nameless, player: await untilHeard(() => get('/v1/me', token), Infinity) }
  kept.drop(nameless)
  kept.add(found)
  return found
}

/** Lets an account play here. @param {Session} next */
export function enterAs(next) {
  // An account that is let in no more, and has nothing to be kept, is not kept.
  if (isShutOut() && !session.get()?.recovery) session.set(null)
  playAs(next)
  forgetKey()
  openInbox()
}

/** Ends a token of this browser's, as far as the server can be heard. @param {string} token */
export async function endToken(token) {
  const { items = [] } = await get('/v1/me/tokens?limit=100', token).catch(() => ({}))
  const own = items.find((/** @type {any} */ { current }) => current)
  if (own) await send('DELETE', `/v1/me/tokens/${own.id}`, undefined, token).catch(() => null)
}

/** Forgets an account that this browser keeps. @param {Session} one */
export async function signOutOf(one) {
  await endToken(one.token)
  kept.drop(one)
}
