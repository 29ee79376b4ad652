// Checks 2 and 3: the server's bytes are the promised ones; numbers and times are in order, each entry stands where it may, and
// the heads follow.

import { be64, canonical, frame, hash, hex, utf8 } from '../base/bytes.js'
import { openStanding } from './standing.js'
import { fail, pass } from './verdict.js'

/** @typedef {import('./document.js').ReplayDocument} ReplayDocument */
/** What the entries of a log, taken together, say.
 * @typedef {{genesis: any, heads: Uint8Array<ArrayBuffer>[], standing: import('./standing.js').Standing, sealed: number | null}} History */

/** @param {Uint8Array} key @param {string} format @param {string} tag @param {Uint8Array[]} parts @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function keyed(key, format, tag, ...parts) {
  const imported = await crypto.subtle.importKey('raw', Uint8Array.from(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, frame(`${format} ${tag}`, ...parts)))
}

/** @param {ReplayDocument} document */
export async function checkCommitment({ format, entries, seed }) {
  const genesis = entries[0]?.body
  if (genesis?.type !== 'genesis') return fail(0, 'the first entry is not a genesis, so nothing was promised')
  const is = hex(await hash(format, 'server', seed)) === genesis.commit
  return is ? pass('commitment_holds') : fail(0, 'the server’s bytes are not those that the genesis promised')
}

/** @param {ReplayDocument} document @returns {Promise<{verdict: import('./verdict.js').Verdict, history: History | null}>} */
export async function walk({ format, entries, seed }) {
  const genesis = entries[0]?.body
  if (genesis?.type !== 'genesis') return { verdict: fail(0, 'the log does not begin with a genesis'), history: null }
  const standing = openStanding(genesis, format)
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const heads = []
  let head = new Uint8Array(32), newest = 0
  /** @type {number | null} */
  let sealed = null
  const salt = await crypto.subtle.importKey('raw', Uint8Array.from(seed), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  for (const [seq, { body, bodyBytes, secretBytes }] of entries.entries()) {
    if (body.seq !== seq) return { verdict: fail(seq, `an entry with seq ${body.seq} stands here`), history: null }
    if (body.at < newest) return { verdict: fail(seq, 'its time lies before that of the entry before it'), history: null }
    newest = body.at
    const refused = seq === 0 ? null : body.type === 'genesis' ? 'a second genesis stands here' : standing.take(body, seq)
    if (refused) return { verdict: fail(seq, refused), history: null }
    if (body.type === 'seal') sealed = seq
    const salted = new Uint8Array(await crypto.subtle.sign('HMAC', salt, frame(`${format} salt`, be64(seq))))
    const blind = await hash(format, 'secret', salted, secretBytes)
    head = await hash(format, 'head', head, await hash(format, 'leaf', bodyBytes, blind))
    heads.push(head)
  }
  const last = entries.length - 1
  if (standing.status !== 'finished' && standing.status !== 'void') return { verdict: fail(last, 'the log has no end'), history: null }
  return { verdict: pass('chain_holds', { n: entries.length, head: hex(head) }), history: { genesis, heads, standing, sealed } }
}

/** What is hashed of a value. @param {any} value */
export const jcs = (value) => utf8(canonical(value))
