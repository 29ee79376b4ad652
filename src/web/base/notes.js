// Signed notes (C2SP): their keys, their lines, and receipts.

import { hex, join, same, sha256, unbase64, unhex, utf8 } from './bytes.js'
import { isPoint, verifies } from './points.js'

/** @typedef {{name: string, id: Uint8Array, key: Uint8Array<ArrayBuffer>}} NoteKey */
/** @typedef {{name: string, id: Uint8Array, signature: Uint8Array<ArrayBuffer>}} Line */

/**
 * Reads `name+hex+base64`. Returns null for keys of another kind.
 * @param {string} text
 * @param {1 | 4} kind
 * @returns {Promise<NoteKey | null>}
 */
export async function readKey(text, kind = 1) {
  const [name = '', id = '', ...rest] = text.trim().split('+')
  const bytes = unbase64(rest.join('+'))
  if (!isName(name) || !bytes || bytes.length !== 33 || bytes[0] !== kind) return null
  const key = bytes.slice(1)
  const digest = await sha256(join([utf8(`${name}\n`), bytes]))
  return hex(digest.slice(0, 4)) === id && isPoint(key) ? { name, id: digest.slice(0, 4), key } : null
}

/** Neither white space nor control characters stand in a name, and no plus sign. @param {string} text */
const isName = (text) => text !== '' && !/[\p{White_Space}\p{Cc}+]/u.test(text)

/** @param {string} text @returns {Line | null} */
export function readLine(text) {
  if (!text.startsWith('— ')) return null
  const [name = '', rest = '', ...more] = text.slice(2).split(' ')
  const bytes = unbase64(rest)
  return more.length === 0 && isName(name) && bytes && bytes.length > 4
    ? { name, id: bytes.slice(0, 4), signature: bytes.slice(4) }
    : null
}

/** @param {NoteKey} key @param {Line} line */
export const isOf = (key, line) => key.name === line.name && same(key.id, line.id)

/** Returns a number in its plain form, or null. @param {string} text */
const plain = (text) =>
  /^(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null

/** @param {string} note */
export function readReceipt(note) {
  const [title = '', game = '', seqText = '', atText = '', head = '', empty, line = '', rest, ...more] =
    note.split('\n')
  const [seq, at, signed] = [plain(seqText), plain(atText), readLine(line)]
  const isWhole =
    title === 'fairlog/3 receipt' &&
    /^[A-Za-z0-9_-]{1,64}$/.test(game) &&
    unhex(head, 32) &&
    empty === '' &&
    rest === '' &&
    more.length === 0
  if (utf8(note).length > 1024 || !isWhole || seq === null || at === null || signed?.signature.length !== 64)
    return null
  return { game, seq, at, head, line: signed, text: `${title}\n${game}\n${seq}\n${at}\n${head}\n` }
}

/** Returns whether a key signed a text. @param {NoteKey} key @param {Line} line @param {string} text */
export const hasSigned = (key, line, text) => verifies(key.key, line.signature, utf8(text))
