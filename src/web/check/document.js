// Check 1: a document is read strictly. There is one way to write each, and nothing may hide in it.

import { canonical, unhex, utf8 } from '../base/bytes.js'
import { exactly, hasSoundKeys, lookAtKeys, readEntry, Wrong } from './entries.js'

/** @typedef {'fairlog/1' | 'fairlog/2'} Format */
/** An entry, with the bytes of it that are hashed.
 * @typedef {{body: any, secret: any, bodyBytes: Uint8Array, secretBytes: Uint8Array}} Recorded */
/** @typedef {{format: Format, entries: Recorded[], seed: Uint8Array, receipts: string[], proofs: string[]}} ReplayDocument */

const MOST_BYTES = 16 * 1024 * 1024
const MOST_DEPTH = 127
/** How much a body, a secret or another field may hold, in the measure of a number. */
const MOST_UNITS = 20_000

/** The text of a document, whose bytes are hashed as they are: nothing is passed over or put in place of something else.
 * @param {Uint8Array} bytes */
export function textOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Wrong('the document is no UTF-8')
  }
}

/** @param {string} text @returns {Promise<ReplayDocument>} */
export async function readDocument(text) {
  if (text.length > MOST_BYTES || utf8(text).length > MOST_BYTES) throw new Wrong('the document is larger than 16 MiB')
  if (isBroken(text)) throw new Wrong('the document is no Unicode')
  checkDepth(text)
  let value
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Wrong(`it is no JSON: ${error instanceof Error ? error.message : ''}`)
  }
  checkProfile(value)
  if (canonical(value) !== text) throw new Wrong('it is not written in the one way that there is (RFC 8785)')
  const { format, entries, server_seed, receipts, proofs } = exactly(value, ['format', 'entries', 'server_seed', 'receipts', 'proofs'], 'document')
  if (format !== 'fairlog/1' && format !== 'fairlog/2') throw new Wrong('`format` is neither fairlog/1 nor fairlog/2')
  const seed = unhex(server_seed, 32)
  if (!seed) throw new Wrong('`server_seed` is not 32 bytes in hex')
  if (!isStrings(receipts) || receipts.length > 1) throw new Wrong('`receipts` must hold the receipt of the end alone')
  if (!isStrings(proofs) || (format === 'fairlog/1' && proofs.length > 0)) throw new Wrong('`proofs` must hold texts, and none under fairlog/1')
  for (const [name, field] of Object.entries({ format, server_seed, receipts, proofs })) checkSize(field, name)
  if (!Array.isArray(entries)) throw new Wrong('`entries` is no list')
  const read = entries.map((entry, at) => {
    const place = `entries[${at}]`
    const secret = Object.hasOwn(entry ?? {}, 'secret')
    const { body } = exactly(entry, secret ? ['body', 'secret'] : ['body'], place)
    checkSize(body, place)
    if (secret) checkSize(entry.secret, place)
    readEntry(format, body, secret ? entry.secret : undefined, place)
    return { body, secret: secret ? entry.secret : null, bodyBytes: utf8(canonical(body)), secretBytes: secret ? utf8(canonical(entry.secret)) : new Uint8Array() }
  })
  await lookAtKeys()
  const weak = read.findIndex(({ body, secret }) => !hasSoundKeys(body, secret))
  if (weak >= 0) throw new Wrong(`entries[${weak}] has a key that is no canonical point, or a weak one`)
  return { format, entries: read, seed, receipts, proofs }
}

/** @param {any} value @param {string} at */
function checkSize(value, at) {
  let left = MOST_UNITS
  /** @param {any} one */
  const weigh = (one) => {
    left -= Array.isArray(one) ? 4 : one !== null && typeof one === 'object' ? 20 + 3 * Object.keys(one).length : 1
    if (left < 0) throw new Wrong(`${at} holds too many values`)
    if (one !== null && typeof one === 'object') Object.values(one).forEach(weigh)
  }
  weigh(value)
}

/** Whether half a character stands in it. @param {string} text */
const isBroken = (text) => /\p{Surrogate}/u.test(text)

/** @param {any} value @returns {value is string[]} */
const isStrings = (value) => Array.isArray(value) && value.every((item) => typeof item === 'string')

/** @param {string} text */
function checkDepth(text) {
  let depth = 0, inText = false
  for (let at = 0; at < text.length; at += 1) {
    const c = text.charCodeAt(at)
    if (inText) {
      if (c === 92) at += 1
      else if (c === 34) inText = false
    } else if (c === 34) inText = true
    else if (c === 91 || c === 123) {
      depth += 1
      if (depth > MOST_DEPTH) throw new Wrong('it is nested too deeply')
    } else if (c === 93 || c === 125) depth -= 1
  }
}

/** Keys are plain, numbers whole and below 2^53, texts are Unicode. @param {any} value */
function checkProfile(value) {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new Wrong('a number is not whole, or too large')
  } else if (typeof value === 'string') {
    if (isBroken(value)) throw new Wrong('a text is no Unicode')
  } else if (Array.isArray(value)) {
    value.forEach(checkProfile)
  } else if (value !== null && typeof value === 'object') {
    for (const key of Object.keys(value)) {
      if (!/^[a-z0-9_]+$/.test(key)) throw new Wrong('a field has a name that may not be')
      checkProfile(value[key])
    }
  }
}
