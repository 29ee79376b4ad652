// The player's own key, which never leaves this browser, and what is done with it without asking: moves are signed, and
// random bytes are promised to the shuffle and revealed. Where a browser has no such keys, as on a page without TLS, it plays
// unsigned.

import { get, send, untilHeard } from './api.js'
import { be64, canonical, frame, hex, sha256, unhex, utf8 } from './bytes.js'
import { session } from './store.js'
import { keepReceipt, put, take } from './vault.js'

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
  if (!key || !(await keysOf(spot.game, spot.seat)).includes(key.hex)) return {}
  const head = unhex(spot.head) ?? new Uint8Array()
  const message = frame(`fairlog/2 ${what}`, utf8(spot.game), be64(spot.seat), be64(spot.seq), head, last)
  const sig = hex(new Uint8Array(await crypto.subtle.sign('Ed25519', key.secret, message)))
  return { signed: { key: key.hex, seen: spot.seq, sig } }
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
  const [key, keys] = await Promise.all([ownKey(), keysOf(game, seat)])
  return keys.length > 0 && (key === null || !keys.includes(key.hex))
}

/** The new key of a seat that has none, signed by itself. @param {Spot} spot */
export async function signOwnKey(spot) {
  const key = await ownKey()
  if (!key) return null
  const head = unhex(spot.head) ?? new Uint8Array()
  const message = frame('fairlog/2 keys', utf8(spot.game), be64(spot.seat), be64(spot.seq), head, utf8(canonical([key.hex])))
  const sig = hex(new Uint8Array(await crypto.subtle.sign('Ed25519', key.secret, message)))
  return { keys: [key.hex], signed: { key: key.hex, seen: spot.seq, sig } }
}

/** The keys with which each seat of a game signs, as its log tells.
 * @type {Map<string, {after: number, seats: string[][]}>} */
const keysKnown = new Map()

/** The log was told to have keys changed in it: it is read on. @param {string} game @param {number} seat */
async function keysOf(game, seat) {
  const known = keysKnown.get(game) ?? { after: -1, seats: [[], [], [], []] }
  for (;;) {
    const { items } = await untilHeard(() => get(`/v1/games/${game}/log?after=${known.after}&limit=100`))
    for (const { body } of items) {
      known.after = body.seq
      if (body.type === 'join' || body.type === 'keys' || body.type === 'hand') known.seats[body.seat] = body.keys ?? []
      if (body.type === 'sys' && body.op === 'unkey') known.seats[body.seat] = []
    }
    if (items.length < 100) break
  }
  keysKnown.set(game, known)
  return known.seats[seat] ?? []
}

/** What a player brings to a table: its key, and a promise of random bytes. */
export async function share() {
  const key = await ownKey()
  if (!key) return {}
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const commit = hex(await sha256(frame('fairlog/2 client', bytes)))
  await put('promises', commit, hex(bytes))
  return { keys: [key.hex], entropy_commit: commit }
}

/** The games whose bytes are revealed, or are being so. @type {Map<string, Promise<void>>} */
const revealing = new Map()

/** Reveals what was promised at a sealed table, if this browser promised it. @param {any} game */
export function reveal(game) {
  if (game.status !== 'sealed') return Promise.resolve()
  const now = revealing.get(game.id) ?? revealOnce(game)
  revealing.set(game.id, now)
  now.catch(() => revealing.delete(game.id))
  return now
}

/** Whether a receipt is for this log, with the seal in it: else the seal could be made again until somebody likes the shuffle.
 * @param {string | undefined} receipt @param {string} game @param {any[]} items */
function coversSeal(receipt, game, items) {
  const [, of, seq, head] = (receipt ?? '').split('\n')
  const seal = items.find(({ body }) => body.type === 'seal')
  const signed = items.find(({ body }) => String(body.seq) === seq)
  return of === game && seal && signed && signed.body.seq >= seal.body.seq && signed.head === head
}

/** @param {any} game */
async function revealOnce(game) {
  const me = session.get()?.player.id
  const mine = game.seats.find((/** @type {any} */ seat) => seat.player?.id === me)
  if (mine?.entropy !== 'promised') return
  const { seal_receipt: receipt } = await get(`/v1/games/${game.id}`)
  const { items } = await get(`/v1/games/${game.id}/log?limit=100`)
  const joins = items.filter((/** @type {any} */ { body }) => body.type === 'join' && body.seat === mine.seat)
  const bytes = await take('promises', joins.at(-1)?.body.commit ?? '')
  if (!bytes) return
  if (!coversSeal(receipt, game.id, items)) throw new Error('no receipt of the seal')
  await keepReceipt(game.id, receipt)
  const done = await send('POST', `/v1/games/${game.id}/entropy`, { entropy: bytes })
  await keepReceipt(game.id, done.receipt)
}
