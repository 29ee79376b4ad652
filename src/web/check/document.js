// Check 1: strict reading of a document. Each document has one form, which hides nothing.

import { canonical, unhex, utf8 } from '../base/bytes.js'
import { exactly, hasSoundKeys, lookAtKeys, readEntry, Wrong } from './entries.js'
import { found } from '../base/finding.js'

/**
 * An entry with its hashed bytes.
 * @typedef {{body: any, secret: any, bodyBytes: Uint8Array, secretBytes: Uint8Array}} Recorded
 */
/** @typedef {{entries: Recorded[], seed: Uint8Array, receipt: string, proofs: string[]}} ReplayDocument */

const MOST_BYTES = 16 * 1024 * 1024
const MOST_IN_ENTRY = 65_536
const MOST_RECEIPT = 1_024
const MOST_PROOF = 16_384
const MOST_PROOFS = 16
const MOST_DEPTH = 64

/**
 * Returns the text of a document. Its bytes are hashed, so invalid ones are not replaced.
 * @param {Uint8Array} bytes
 */
export function textOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Wrong(found('document_not_json'))
  }
}

/** @param {string} text @returns {Promise<ReplayDocument>} */
export async function readDocument(text) {
  const value = parse(text)
  const { format, entries, server_seed, receipt, proofs } = exactly(
    value,
    ['format', 'entries', 'server_seed', 'receipt', 'proofs'],
    'document',
  )
  if (format !== 'fairlog/3') throw new Wrong(found('member_wrong', { place: 'document.format' }))
  const seed = unhex(server_seed, 32)
  if (!seed) throw new Wrong(found('member_wrong', { place: 'document.server_seed' }))
  if (!isWithin(receipt, MOST_RECEIPT)) throw new Wrong(found('member_wrong', { place: 'document.receipt' }))
  const fits =
    Array.isArray(proofs) &&
    proofs.length <= MOST_PROOFS &&
    proofs.every((proof) => isWithin(proof, MOST_PROOF))
  if (!fits) throw new Wrong(found('member_wrong', { place: 'document.proofs' }))
  if (!Array.isArray(entries)) throw new Wrong(found('member_wrong', { place: 'document.entries' }))
  const read = entries.map(readRecorded)
  await lookAtKeys()
  const weak = read.findIndex(({ body, secret }) => !hasSoundKeys(body, secret))
  if (weak >= 0) throw new Wrong(found('key_not_sound', { place: `entries[${weak}]` }), weak)
  return { entries: read, seed, receipt, proofs }
}

/** @param {string} text */
function parse(text) {
  if (text.length > MOST_BYTES || utf8(text).length > MOST_BYTES)
    throw new Wrong(found('too_large', { place: 'document' }))
  if (isBroken(text)) throw new Wrong(found('document_not_json'))
  checkDepth(text)
  let value
  try {
    value = JSON.parse(text)
  } catch {
    throw new Wrong(found('document_not_json'))
  }
  checkProfile(value)
  if (canonical(value) !== text) throw new Wrong(found('document_not_canonical'))
  return value
}

/** @param {any} entry @param {number} no @returns {Recorded} */
function readRecorded(entry, no) {
  const place = `entries[${no}]`
  try {
    if (utf8(canonical(entry)).length > MOST_IN_ENTRY) throw new Wrong(found('too_large', { place }))
    const { body, secret } = exactly(entry, ['body'], place, ['secret'])
    readEntry(body, secret, place)
    return {
      body,
      secret: secret ?? null,
      bodyBytes: utf8(canonical(body)),
      secretBytes: secret === undefined ? new Uint8Array() : utf8(canonical(secret)),
    }
  } catch (error) {
    throw error instanceof Wrong ? new Wrong(error.finding, no) : error
  }
}

/** @param {any} text @param {number} most */
const isWithin = (text, most) => typeof text === 'string' && utf8(text).length <= most

/** Returns whether a text has half a surrogate pair. @param {string} text */
const isBroken = (text) => /\p{Surrogate}/u.test(text)

/** @param {string} text */
function checkDepth(text) {
  let depth = 0,
    inText = false
  for (let at = 0; at < text.length; at += 1) {
    const c = text.charCodeAt(at)
    if (inText) {
      if (c === 92) at += 1
      else if (c === 34) inText = false
    } else if (c === 34) inText = true
    else if (c === 91 || c === 123) {
      depth += 1
      if (depth > MOST_DEPTH) throw new Wrong(found('too_deep'))
    } else if (c === 93 || c === 125) depth -= 1
  }
}

/** Member names are plain, numbers whole and below 2^53, texts are Unicode. @param {any} value */
function checkProfile(value) {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new Wrong(found('number_not_whole'))
  } else if (typeof value === 'string') {
    if (isBroken(value)) throw new Wrong(found('document_not_json'))
  } else if (Array.isArray(value)) {
    value.forEach(checkProfile)
  } else if (value !== null && typeof value === 'object') {
    for (const key of Object.keys(value)) {
      if (!/^[a-z0-9_]+$/.test(key)) throw new Wrong(found('name_not_plain'))
      checkProfile(value[key])
    }
  }
}
