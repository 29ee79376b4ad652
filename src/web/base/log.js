// The log of a game as this browser has read it itself: its heads are worked out here, entry by entry, and are nobody's word.

import { get, Problem, untilHeard } from './api.js'
import { canonical, hash, hex, unhex, utf8 } from './bytes.js'
import { t } from './words.js'

/** Heads by their seq; of each seat the keys with which it signs, and what it promised; and where the table was sealed.
 * @typedef {{format: string, heads: string[], keys: string[][], promises: (string | null)[], seal: number | null}} Log */

/** @type {Map<string, Log>} */
const logs = new Map()
/** Who reads a log lets the next one read on. @type {Map<string, Promise<Log>>} */
const reading = new Map()

/** What is shown does not fit together. Nothing is signed for it, and nothing revealed. */
export const broken = () => new Problem({ status: 409, code: 'broken_log', detail: t('log_broken') })

/** The log of a game up to now. @param {string} game @returns {Promise<Log>} */
export function readLog(game) {
  const before = reading.get(game) ?? Promise.resolve()
  const read = before.then(() => readOn(game), () => readOn(game))
  reading.set(game, read)
  return read
}

/** @param {string} game */
async function readOn(game) {
  const log = logs.get(game) ?? { format: '', heads: [], keys: [[], [], [], []], promises: [null, null, null, null], seal: null }
  logs.set(game, log)
  for (;;) {
    const { items } = await untilHeard(() => get(`/v1/games/${game}/log?after=${log.heads.length - 1}&limit=100`))
    for (const item of items) await take(log, game, item)
    if (items.length < 100) return log
  }
}

/** @param {Log} log @param {string} game @param {{body: any, x: string, head: string}} item */
async function take(log, game, { body, x, head }) {
  const seq = log.heads.length
  const blind = unhex(x, 32)
  if (seq === 0) log.format = String(body.format)
  const before = unhex(log.heads[seq - 1] ?? '', 32) ?? new Uint8Array(32)
  // A page without TLS can work out nothing; it signs and reveals nothing either.
  const own = !crypto.subtle ? head : blind && hex(await hash(log.format, 'head', before, await hash(log.format, 'leaf', utf8(canonical(body)), blind)))
  if (own !== head || body.seq !== seq || (seq === 0 && (body.type !== 'genesis' || body.game !== game))) throw broken()
  log.heads.push(own)
  if (['join', 'keys', 'hand'].includes(body.type)) log.keys[body.seat] = body.keys ?? []
  if (body.type === 'sys' && body.op === 'unkey') log.keys[body.seat] = []
  if (body.type === 'join') log.promises[body.seat] = body.commit
  if (body.type === 'leave') log.promises[body.seat] = null
  if (body.type === 'seal') log.seal = seq
}
