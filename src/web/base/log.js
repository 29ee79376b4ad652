// The log of a game as this browser computed it: all heads are hashed here, entry by entry.

import { get, Problem, untilHeard } from './api.js'
import { canonical, hash, hex, unhex, utf8 } from './bytes.js'
import { added, emptyKeys, follow } from './seat_keys.js'
import { unlike } from './taken.js'
import { t } from './words.js'

/**
 * The player of a seat: the entry, the promise, and the signing keys.
 * @typedef {{body: any, promise: string | null, keys: import('./seat_keys.js').SeatKeys}} Sitting
 */
/**
 * Heads by `seq`, the player of each seat, every claim by its nonce, and the entry that filled the table.
 * @typedef {{genesis: any, heads: string[], seats: (Sitting | null)[], claims: Map<string, any>, full: number | null}} Log
 */

/** @type {Map<string, Log>} */
const logs = new Map()
/** Reads of the same log wait for each other. @type {Map<string, Promise<Log>>} */
const reading = new Map()

/** Returns the problem of a contradictory log, for which nothing is signed or revealed. */
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

/**
 * Reads the log of a game and checks the player's own seat in it. Signatures and reveals need this log.
 * @param {string} game
 * @returns {Promise<Log>}
 */
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
  // A page without TLS cannot hash. It signs and reveals nothing either.
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
