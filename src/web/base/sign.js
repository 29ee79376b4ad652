// The player's own key, which never leaves this browser, and what is done with it without asking: moves are signed, and
// random bytes are promised to the shuffle and revealed. Where a browser has no such keys, as on a page without TLS, it plays
// unsigned.

import { get, isPassing, send } from './api.js'
import { be64, canonical, frame, hash, hex, unhex, utf8 } from './bytes.js'
import { broken, readLog } from './log.js'
import { readReceipt } from './notes.js'
import { isGenuine, keepReceipt } from './receipts.js'
import { session } from './store.js'
import { put, take } from './vault.js'

/** @typedef {{key: string, seen: number, sig: string}} Signature */
/** @typedef {{secret: CryptoKey, hex: string}} OwnKey */
/** @typedef {{game: string, seq: number, head: string, seat: number}} Spot */

/** Why this browser signs nothing, if it does not: `page` if only a page with TLS could.
 * @type {null | 'page' | 'browser'} */
export let unsigned = null

/** @type {Promise<OwnKey | null> | null} */
let own = null

/** The key of the player who plays here, made once. @returns {Promise<OwnKey | null>} */
export function ownKey() {
  own ??= findKey().catch(() => {
    unsigned ??= 'browser'
    return null
  })
  return own
}

/** Another player plays here now. */
export function forgetKey() {
  own = null
}

/** @returns {Promise<OwnKey | null>} */
async function findKey() {
  if (!globalThis.crypto?.subtle) {
    unsigned = 'page'
    return null
  }
  const name = session.get()?.player.id ?? ''
  const known = await take('keys', name)
  if (known) return known
  const pair = /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify']))
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  const made = { secret: pair.privateKey, hex: hex(publicKey) }
  await put('keys', name, made)
  return made
}

/** Signs what a seat does, if the seat is known to have this browser's key.
 * @param {'play' | 'keys' | 'takeback' | 'sys' | 'plan' | 'hand'} what @param {Spot} spot @param {Uint8Array} last
 * @returns {Promise<{signed?: Signature}>} */
async function sign(what, spot, last) {
  const key = await ownKey()
  if (!key) return {}
  const log = await readLog(spot.game)
  return (log.keys[spot.seat] ?? []).includes(key.hex) ? { signed: await signAt(key, log, what, spot, last) } : {}
}

/** Signs for a history that this browser has seen, and for no other.
 * @param {OwnKey} key @param {import('./log.js').Log} log @param {string} what @param {Spot} spot @param {Uint8Array} last @returns {Promise<Signature>} */
async function signAt(key, log, what, spot, last) {
  if (log.heads[spot.seq] !== spot.head) throw broken()
  const message = frame(`fairlog/2 ${what}`, utf8(spot.game), be64(spot.seat), be64(spot.seq), unhex(spot.head) ?? new Uint8Array(), last)
  return { key: key.hex, seen: spot.seq, sig: hex(new Uint8Array(await crypto.subtle.sign('Ed25519', key.secret, message))) }
}

/** @param {Spot} spot @param {any[]} commands */
export const signPlay = (spot, commands) => sign('play', spot, utf8(canonical(commands)))
/** @param {Spot} spot @param {number} to */
export const signTakeback = (spot, to) => sign('takeback', spot, be64(to))
/** @param {Spot} spot @param {'resign' | 'resume' | 'pause' | 'continue'} op */
export const signSys = (spot, op) => sign('sys', spot, utf8(op))
/** @param {Spot} spot @param {any[]} rules */
export const signPlan = (spot, rules) => sign('plan', spot, utf8(canonical(rules)))
/** @param {Spot} spot @param {{player: string, keys: string[]}} asked */
export const signHand = (spot, asked) => sign('hand', spot, utf8(canonical({ bot: null, keys: asked.keys, player: asked.player })))

/** Whether a seat is signed for by keys of which this browser has none: its player made them elsewhere.
 * @param {string} game @param {number} seat */
export async function isKeyless(game, seat) {
  const [key, log] = await Promise.all([ownKey(), readLog(game)])
  const keys = log.keys[seat] ?? []
  return keys.length > 0 && (key === null || !keys.includes(key.hex))
}

/** The new key of a seat that has none, signed by itself. @param {Spot} spot */
export async function signOwnKey(spot) {
  const key = await ownKey()
  if (!key) return null
  return { keys: [key.hex], signed: await signAt(key, await readLog(spot.game), 'keys', spot, utf8(canonical([key.hex]))) }
}

/** Bytes that were promised, and the table that they are for: once it is known, they are for no other. @typedef {{bytes: string, game: string | null}} Promised */

/** Sits down at a table, with this browser's key, and with a promise of random bytes where the shuffle is still to come.
 * @param {string} path @param {Record<string, any>} [more] @param {boolean} [isToCome] @returns {Promise<any>} */
export async function sitDown(path, more = {}, isToCome = true) {
  const key = await ownKey()
  const bytes = hex(crypto.getRandomValues(new Uint8Array(32)))
  const commit = key && isToCome ? hex(await hash('fairlog/2', 'client', unhex(bytes) ?? new Uint8Array())) : null
  if (commit) await put('promises', commit, { bytes, game: null })
  const done = await send('POST', path, { ...more, ...(key ? { keys: [key.hex] } : {}), ...(commit ? { entropy_commit: commit } : {}) })
  if (commit && done.id) await put('promises', commit, { bytes, game: done.id })
  if (done.id) await keepReceipt(done.id, done.receipt)
  return done
}

/** The games whose bytes are revealed, or are being so. @type {Map<string, Promise<void>>} */
const revealing = new Map()

/** Reveals what was promised at a sealed table, if this browser promised it. @param {any} game */
export function reveal(game) {
  if (game.status !== 'sealed') return Promise.resolve()
  const now = revealing.get(game.id) ?? revealOnce(game)
  revealing.set(game.id, now)
  now.catch((problem) => {
    revealing.delete(game.id)
    // Others wait for it.
    if (isPassing(problem?.status)) setTimeout(() => void reveal(game).catch(() => null), 5000)
  })
  return now
}

/** Whether a receipt is for this log, with the seal in it: else the seal could be made again until somebody likes the shuffle.
 * @param {string | undefined} note @param {string} game @param {import('./log.js').Log} log */
async function coversSeal(note, game, log) {
  const receipt = readReceipt(note ?? '')
  return receipt !== null && log.seal !== null && receipt.seq >= log.seal && log.heads[receipt.seq] === receipt.head && (await isGenuine(note, game))
}

/** @param {any} game */
async function revealOnce(game) {
  const me = session.get()?.player.id
  const mine = game.seats.find((/** @type {any} */ seat) => seat.player?.id === me)
  if (mine?.entropy !== 'promised') return
  const { seal_receipt: receipt } = await get(`/v1/games/${game.id}`)
  const log = await readLog(game.id)
  const commit = log.promises[mine.seat] ?? ''
  /** What an earlier version kept is the bytes alone. @type {Promised | string | undefined} */
  const kept = await take('promises', commit)
  if (!kept) return
  const promised = typeof kept === 'string' ? { bytes: kept, game: null } : kept
  if ((promised.game ?? game.id) !== game.id || !(await coversSeal(receipt, game.id, log))) throw broken()
  await put('promises', commit, { ...promised, game: game.id })
  await keepReceipt(game.id, receipt)
  const done = await send('POST', `/v1/games/${game.id}/entropy`, { entropy: promised.bytes })
  await keepReceipt(game.id, done.receipt)
}
