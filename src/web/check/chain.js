// Checks 2 and 3: the server's seed was fixed, numbers and times are in order, and every entry is allowed at
// its place.

import { be64, canonical, frame, hash, hex, utf8 } from '../base/bytes.js'
import { found } from '../base/finding.js'
import { Wrong } from './entries.js'
import { openStanding } from './standing.js'
import { fail, pass } from './verdict.js'

/** @typedef {import('./document.js').ReplayDocument} ReplayDocument */
/**
 * The history of a log. `full` is the `seq` of the join that filled the table.
 * @typedef {{genesis: any, heads: Uint8Array<ArrayBuffer>[], standing: import('./standing.js').Standing, full: number | null, started: boolean}} History
 */

/** @param {Uint8Array} key @param {string} tag @param {Uint8Array[]} parts @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function keyed(key, tag, ...parts) {
  const imported = await crypto.subtle.importKey(
    'raw',
    Uint8Array.from(key),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, frame(`fairlog/3 ${tag}`, ...parts)))
}

/** @param {ReplayDocument} document */
export async function checkCommitment({ entries, seed }) {
  const genesis = entries[0]?.body
  if (genesis?.type !== 'genesis') return fail(0, found('no_genesis'))
  return hex(await hash('server', seed)) === genesis.commit
    ? pass(found('commitment_holds'))
    : fail(0, found('seed_differs'))
}

/** @param {ReplayDocument} document @returns {Promise<{verdict: import('./verdict.js').Verdict, history: History | null}>} */
export async function walk({ entries, seed }) {
  const genesis = entries[0]?.body
  const refuse = (/** @type {number} */ seq, /** @type {import('./verdict.js').Finding} */ why) => ({
    verdict: fail(seq, why),
    history: null,
  })
  if (genesis?.type !== 'genesis') return refuse(0, found('no_genesis'))
  const standing = openStanding(genesis)
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const heads = []
  let head = new Uint8Array(32),
    newest = 0,
    started = false
  /** @type {number | null} */
  let full = null
  const salt = await crypto.subtle.importKey(
    'raw',
    Uint8Array.from(seed),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  for (const [seq, { body, bodyBytes, secretBytes }] of entries.entries()) {
    if (body.seq !== seq) return refuse(seq, found('wrong_seq', { seq: body.seq }))
    if (body.at < newest) return refuse(seq, found('time_goes_back', { before: newest }))
    const refused = seq === 0 ? null : standing.take(body, seq, body.at - newest)
    if (refused) return refuse(seq, refused)
    newest = body.at
    started ||= body.type === 'start'
    if (body.type === 'join' && standing.status === 'full') full = seq
    const salted = new Uint8Array(await crypto.subtle.sign('HMAC', salt, frame('fairlog/3 salt', be64(seq))))
    const blind = await hash('secret', salted, secretBytes)
    head = await hash('head', head, await hash('leaf', bodyBytes, blind))
    heads.push(head)
  }
  const last = entries.length - 1
  if (standing.status !== 'over') return refuse(last, found('no_end'))
  return {
    verdict: pass(found('chain_holds', { last, head: hex(head) })),
    history: { genesis, heads, standing, full, started },
  }
}

/**
 * Compares `previous` with the document of the previous game.
 * @param {History} history
 * @param {Uint8Array} before
 * @param {(bytes: Uint8Array) => Promise<ReplayDocument>} read
 * @returns {Promise<import('./verdict.js').Verdict | null>}
 */
export async function checkPrevious({ genesis }, before, read) {
  if (!genesis.previous) return fail(0, found('no_previous'))
  try {
    const { history } = await walk(await read(before))
    if (!history) return fail(0, found('previous_broken'))
    const is =
      history.genesis.game === genesis.previous.game &&
      hex(history.heads.at(-1) ?? new Uint8Array()) === genesis.previous.head
    return is ? null : fail(0, found('previous_differs'))
  } catch (error) {
    if (!(error instanceof Wrong)) throw error
    return fail(0, error.finding)
  }
}

/** Returns the hashed bytes of a value. @param {any} value */
export const jcs = (value) => utf8(canonical(value))
