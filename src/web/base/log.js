// The log of a game as this browser has read it itself: its heads are worked out here, entry by entry, and
// are nobody's word.

import { get, Problem, untilHeard } from './api.js'
import { canonical, hash, hex, unhex, utf8 } from './bytes.js'
import { added, emptyKeys, follow } from './seat_keys.js'
import { unlike } from './taken.js'
import { t } from './words.js'

/** The player of a seat: by which entry, with which promise, and the keys that sign for it.
 * @typedef {{body: any, promise: string | null, keys: import('./seat_keys.js').SeatKeys}} Sitting */
/** Heads by their seq; who has each seat; every claim by which a seat was taken, by its nonce; and the entry that filled the table.
 * @typedef {{genesis: any, heads: string[], seats: (Sitting | null)[], claims: Map<string, any>, full: number | null}} Log */

/** @type {Map<string, Log>} */
const logs = new Map()
/** Who reads a log lets the next one read on. @type {Map<string, Promise<Log>>} */
const reading = new Map()

/** What is shown does not fit together. Nothing is signed for it, and nothing revealed. */
export const broken = () => new Problem({ status: 409, code: 'broken_log', detail: t('log_broken') })

/** The log of a game up to now. @param {string} game @returns {Promise<Log>} */
export function readLog(game) {
  const before = reading.get(game) ?? Promise.resolve()
  const read = before.then(
    () => readOn(game),
    () => readOn(game),
  )
  reading.set(game, read)
  return read
}

/** The log of a game that shows this browser's player as it took its seat: over no other anything is signed or revealed.
 * @param {string} game @returns {Promise<Log>} */
export async function readTrueLog(game) {
  const log = await readLog(game)
  if (await unlike(game, log)) throw new Problem({ status: 409, code: 'false_log', detail: t('log_false') })
  return log
}

/** @param {string} game */
async function readOn(game) {
  const log = logs.get(game) ?? { genesis: null, heads: [], seats: [], claims: new Map(), full: null }
  logs.set(game, log)
  for (;;) {
    const { items } = await untilHeard(() =>
      get(`/v1/games/${game}/log?after=${log.heads.length - 1}&limit=100`),
    )
    for (const item of items) await take(log, game, item)
    if (items.length < 100) return log
  }
}

/** @param {Log} log @param {string} game @param {{body: any, x: string, head: string}} item */
async function take(log, game, { body, x, head }) {
  const seq = log.heads.length
  const blind = unhex(x, 32)
  const before = unhex(log.heads[seq - 1] ?? '', 32) ?? new Uint8Array(32)
  // A page without TLS can work out nothing; it signs and reveals nothing either.
  const own = !crypto.subtle
    ? head
    : blind && hex(await hash('head', before, await hash('leaf', utf8(canonical(body)), blind)))
  const isFirst = seq === 0
  if (
    own !== head ||
    body.seq !== seq ||
    isFirst !== (body.type === 'genesis') ||
    (isFirst && (body.game !== game || body.format !== 'fairlog/3'))
  )
    throw broken()
  log.heads.push(own)
  if (isFirst) Object.assign(log, { genesis: body, seats: Array(body.seats).fill(null) })
  else if (body.seat !== undefined) sit(log, body)
  if (body.type === 'join' && !log.seats.includes(null)) log.full ??= seq
}

/** @param {Log} log @param {any} body */
function sit(log, body) {
  const { type, seat } = body
  const claim = type === 'join' ? body.signed : body.taken
  const there = log.seats[seat] ?? null
  if (claim) log.claims.set(claim.nonce, body)
  if (type === 'join' || type === 'hand') {
    log.seats[seat] = {
      body,
      promise: type === 'join' ? body.commit : (there?.promise ?? null),
      keys: emptyKeys(claim ? [claim.key] : []),
    }
  } else if (type === 'leave') {
    log.seats[seat] = null
  } else if (there) {
    const keys = body.signed?.devices ? added(there.keys, body.signed) : there.keys
    log.seats[seat] = { ...there, keys: follow(keys, body) }
  }
}
