// Checks 5 and 6: every promise opens before the start, and every draw follows from the seed. The key stream
// is ChaCha20 (RFC 8439), which browsers lack.

import { be64, hash, hex, unhex, utf8 } from '../base/bytes.js'
import { found } from '../base/finding.js'
import { keyed } from './chain.js'
import { openStanding } from './standing.js'
import { fail, notRun, pass } from './verdict.js'

/** @typedef {import('./document.js').ReplayDocument} ReplayDocument */
/** @typedef {import('./chain.js').History} History */

/** @param {ReplayDocument} document @param {History} history */
export async function checkEntropy({ entries }, { genesis, standing, full }) {
  const early = openStanding(genesis)
  for (const [seq, { body }] of entries.entries()) {
    const wrong = await wrongWith(body, early, full)
    if (wrong) return fail(seq, wrong)
    if (body.type === 'start' || body.type === 'end') break
    if (seq > 0) early.take(body, seq, Infinity)
  }
  const seat = silent(standing)
  const shares = sharesOf(standing)
  if (full === null) return pass(found('never_full'))
  if (seat >= 0) return pass(found('never_opened', { seat, shares }))
  return pass(shares === 0 ? found('nobody_shared') : found('all_opened', { shares }))
}

/** @param {any} body @param {History['standing']} standing @param {number | null} full */
async function wrongWith({ type, seat, entropy, reason }, standing, full) {
  if (type === 'start')
    return silent(standing) < 0 ? null : found('promise_not_opened', { seat: silent(standing) })
  if (type === 'end')
    return reason === 'void' && full !== null && silent(standing) < 0 ? found('void_for_nothing') : null
  if (type !== 'reveal') return null
  const { promise, revealed } = standing.seats[seat] ?? { promise: null, revealed: null }
  if (promise === null) return found('reveal_without_promise', { seat })
  if (revealed !== null) return found('reveal_twice', { seat })
  return hex(await hash('client', unhex(entropy) ?? new Uint8Array())) === promise
    ? null
    : found('reveal_differs', { seat })
}

/** Returns the first seat that did not reveal its bytes, or -1. @param {History['standing']} standing */
const silent = (standing) =>
  standing.seats.findIndex((one) => one !== null && one.promise !== null && one.revealed === null)

/** Returns the number of seats that contributed to the shuffle. @param {History['standing']} standing */
export const sharesOf = (standing) => standing.seats.filter((one) => one?.revealed).length

/** @param {ReplayDocument} document @param {History} history */
export async function checkDraws({ entries, seed }, { heads, standing, full, started }) {
  const head = full === null ? undefined : heads[full]
  if (!head || !started) return notRun(found('not_started'))
  const entropy = standing.seats.map((one) =>
    one?.revealed ? (unhex(one.revealed) ?? new Uint8Array()) : new Uint8Array(),
  )
  const gameSeed = await keyed(seed, 'seed', head, ...entropy)
  /** @type {Map<string, number>} */
  const counters = new Map()
  let count = 0
  for (const { body, secret } of entries) {
    for (const draw of secret?.draws ?? []) {
      const { use: label, n } = draw
      const next = counters.get(label) ?? 0
      if (n !== next) return fail(body.seq, found('draw_missing', { label, n, next }))
      // Sizes are compared first, so a short document cannot cause much work.
      if (draw.out.length !== (draw.shuffle ?? draw.roll?.length))
        return fail(body.seq, found('draw_differs', { label, n }))
      const key = await keyed(gameSeed, 'draw', utf8(label), be64(n))
      const out = draw.shuffle === undefined ? roll(key, draw.roll) : shuffle(key, draw.shuffle)
      if (out.some((value, at) => value !== draw.out[at]))
        return fail(body.seq, found('draw_differs', { label, n }))
      counters.set(label, next + 1)
      count += 1
    }
  }
  return pass(found('draws_follow', { count }))
}

/** @param {Uint8Array} key @param {number} size */
export function shuffle(key, size) {
  const words = stream(key)
  const cards = Array.from({ length: size }, (_, at) => at)
  for (let at = size - 1; at > 0; at -= 1) {
    const other = below(words, at + 1)
    const here = cards[at] ?? 0
    cards[at] = cards[other] ?? 0
    cards[other] = here
  }
  return cards
}

/** @param {Uint8Array} key @param {number[]} bounds */
export function roll(key, bounds) {
  const words = stream(key)
  return bounds.map((bound) => below(words, bound))
}

/** @param {Generator<number, never>} words @param {number} bound */
function below(words, bound) {
  if (bound === 1) return 0
  const limit = Math.floor(2 ** 32 / bound) * bound
  for (;;) {
    const { value } = words.next()
    if (value < limit) return value % bound
  }
}

/** The key stream in words, with nonce 0. @param {Uint8Array} key @returns {Generator<number, never>} */
function* stream(key) {
  const view = new DataView(Uint8Array.from(key).buffer)
  const words = Array.from({ length: 8 }, (_, at) => view.getUint32(at * 4, true))
  for (let counter = 0; ; counter += 1)
    yield* block([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...words, counter, 0, 0, 0])
}

/** @param {number[]} input */
function block(input) {
  const state = Uint32Array.from(input)
  for (let round = 0; round < 10; round += 1) {
    for (const [a, b, c, d] of ROUNDS) quarter(state, a, b, c, d)
  }
  return state.map((word, at) => word + (input[at] ?? 0))
}

/** @type {[number, number, number, number][]} */
const ROUNDS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
]

/** @param {Uint32Array} state @param {number} a @param {number} b @param {number} c @param {number} d */
function quarter(state, a, b, c, d) {
  const at = (/** @type {number} */ place) => state[place] ?? 0
  const turn = (/** @type {number} */ word, /** @type {number} */ by) => (word << by) | (word >>> (32 - by))
  for (const [x, y, z, by] of /** @type {[number, number, number, number][]} */ ([
    [a, b, d, 16],
    [c, d, b, 12],
    [a, b, d, 8],
    [c, d, b, 7],
  ])) {
    state[x] = at(x) + at(y)
    state[z] = turn(at(z) ^ at(x), by)
  }
}
