// Checks 5 and 6: every promise opens between seal and start, and every draw follows from the seed.
//
// The key stream is ChaCha20's (RFC 8439), which no browser gives.

import { be64, hash, hex, unhex, utf8 } from '../base/bytes.js'
import { keyed } from './chain.js'
import { fail, notRun, pass } from './verdict.js'

/** @typedef {import('./document.js').ReplayDocument} ReplayDocument */
/** @typedef {import('./chain.js').History} History */

/** @param {ReplayDocument} document @param {History} history */
export async function checkEntropy({ format, entries }, { standing, sealed }) {
  for (const { body } of entries) {
    if (body.type !== 'reveal') continue
    const promise = standing.seats[body.seat]?.promise ?? null
    if (promise === null) return fail(body.seq, `seat ${body.seat} reveals what it did not promise`)
    if (hex(await hash(format, 'client', unhex(body.entropy) ?? new Uint8Array())) !== promise) return fail(body.seq, `what seat ${body.seat} reveals is not what it promised`)
  }
  const silent = standing.seats.findIndex((one) => one !== null && one.promise !== null && one.revealed === null)
  const n = contributors(standing)
  if (standing.status === 'void') {
    if (sealed !== null && silent < 0) return fail(entries.length - 1, 'every promise was opened, so the game had to start; it was made void')
    return pass('entropy_void')
  }
  if (silent >= 0) return fail(sealed, `seat ${silent} promised bytes that were never revealed`)
  return n === 0 ? pass('entropy_none') : pass('entropy_holds', { n })
}

/** How many seats shared in the shuffle. Bytes that two seats have alike are those of one, and those of a bot the server's.
 * @param {History['standing']} standing */
export const contributors = (standing) => new Set(standing.seats.flatMap((one) => (one?.revealed && one.isShare ? [one.revealed] : []))).size

/** @param {ReplayDocument} document @param {History} history */
export async function checkDraws({ format, entries, seed }, { heads, standing, sealed }) {
  const head = sealed === null ? undefined : heads[sealed]
  if (!head) return notRun('nothing_dealt')
  const entropy = standing.seats.map((one) => (one?.revealed ? unhex(one.revealed) ?? new Uint8Array() : new Uint8Array()))
  const gameSeed = await keyed(seed, format, 'seed', head, ...entropy)
  /** @type {Map<string, number>} */
  const counters = new Map()
  let total = 0
  for (const { body, secret } of entries) {
    for (const draw of secret?.draws ?? []) {
      const next = counters.get(draw.use) ?? 0
      if (draw.n !== next) return fail(body.seq, `draw \`${draw.use}\` ${draw.n}: number ${next} is missing before it`)
      // The size is compared before anything is drawn, so that a document asks for no more work than it is long.
      if (draw.out.length !== (draw.shuffle ?? draw.roll?.length)) return fail(body.seq, `draw \`${draw.use}\` ${draw.n}: its outcome has a wrong size`)
      const key = await keyed(gameSeed, format, 'draw', utf8(draw.use), be64(draw.n))
      const out = draw.shuffle === undefined ? roll(key, draw.roll) : shuffle(key, draw.shuffle)
      if (out.some((value, at) => value !== draw.out[at])) return fail(body.seq, `draw \`${draw.use}\` ${draw.n}: its outcome does not follow from the seed`)
      counters.set(draw.use, next + 1)
      total += 1
    }
  }
  return pass('draws_hold', { n: total })
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
  for (let counter = 0; ; counter += 1) yield* block([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...words, counter, 0, 0, 0])
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
const ROUNDS = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]]

/** @param {Uint32Array} state @param {number} a @param {number} b @param {number} c @param {number} d */
function quarter(state, a, b, c, d) {
  const at = (/** @type {number} */ place) => state[place] ?? 0
  const turn = (/** @type {number} */ word, /** @type {number} */ by) => (word << by) | (word >>> (32 - by))
  for (const [x, y, z, by] of /** @type {[number, number, number, number][]} */ ([[a, b, d, 16], [c, d, b, 12], [a, b, d, 8], [c, d, b, 7]])) {
    state[x] = at(x) + at(y)
    state[z] = turn(at(z) ^ at(x), by)
  }
}
