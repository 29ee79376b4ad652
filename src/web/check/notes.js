// Signed notes (C2SP): their keys, their lines, receipts, and check 4.

import { hex, join, same, sha256, unbase64, unhex, utf8 } from '../base/bytes.js'
import { isPoint, verifies } from './points.js'
import { fail, notRun, pass } from './verdict.js'

/** @typedef {{name: string, id: Uint8Array, key: Uint8Array<ArrayBuffer>}} NoteKey */
/** @typedef {{name: string, id: Uint8Array, signature: Uint8Array<ArrayBuffer>}} Line */

/** Reads `name+hex+base64`; null if it is no key of this kind. @param {string} text @param {1 | 4} kind @returns {Promise<NoteKey | null>} */
export async function readKey(text, kind = 1) {
  const [, name = '', id = '', rest = ''] = text.trim().match(/^([^+\s]+)\+([0-9a-f]{8})\+(.+)$/) ?? []
  const bytes = unbase64(rest)
  if (!name || !bytes || bytes.length !== 33 || bytes[0] !== kind) return null
  const key = bytes.slice(1)
  const digest = await sha256(join([utf8(`${name}\n`), bytes]))
  return hex(digest.slice(0, 4)) === id && isPoint(key) ? { name, id: digest.slice(0, 4), key } : null
}

/** @param {string} text @returns {Line | null} */
export function readLine(text) {
  const [, name = '', rest = ''] = text.match(/^— ([^+\s]+) (\S+)$/) ?? []
  const bytes = unbase64(rest)
  return name && bytes && bytes.length > 4 ? { name, id: bytes.slice(0, 4), signature: bytes.slice(4) } : null
}

/** @param {NoteKey} key @param {Line} line */
export const isOf = (key, line) => key.name === line.name && same(key.id, line.id)

/** @param {string} note */
export function readReceipt(note) {
  const [title = '', game = '', seq = '', head = '', empty, line = '', rest, ...more] = note.split('\n')
  const format = title.replace(/ receipt$/, '')
  const signed = readLine(line)
  const isPlain = String(Number(seq)) === seq && Number.isSafeInteger(Number(seq)) && Number(seq) >= 0
  if (utf8(note).length > 1024 || !/^fairlog\/[12] receipt$/.test(title) || !isPlain || !unhex(head, 32) || empty !== '' || rest !== '' || more.length || !signed || signed.signature.length !== 64) return null
  return { format, game, seq: Number(seq), head, line: signed, text: `${title}\n${game}\n${seq}\n${head}\n` }
}

/** @param {import('./document.js').ReplayDocument} document @param {import('./chain.js').History} history @param {string[]} kept @param {NoteKey[]} keys */
export async function checkReceipts(document, { genesis, heads }, kept, keys) {
  if (keys.length === 0) return notRun('receipts_no_key')
  const last = heads.length - 1
  let endIsSigned = false
  for (const note of [...document.receipts, ...kept]) {
    const receipt = readReceipt(note)
    if (!receipt) return fail(null, 'a receipt cannot be read')
    const key = keys.find((one) => isOf(one, receipt.line))
    if (!key) return fail(receipt.seq, `a receipt is signed by \`${receipt.line.name}\`, whose key was not given`)
    if (!(await verifies(key.key, receipt.line.signature, utf8(receipt.text)))) return fail(receipt.seq, 'the signature of a receipt does not fit')
    if (receipt.format !== document.format) return fail(receipt.seq, 'a receipt is of another format than the game')
    if (receipt.game !== genesis.game) return fail(null, 'a receipt is for another game')
    const head = heads[receipt.seq]
    if (!head) return fail(receipt.seq, 'the operator signed an entry that this history does not have')
    if (hex(head) !== receipt.head) return fail(receipt.seq, 'the operator signed another history up to this entry')
    if (document.receipts.includes(note) && receipt.seq === last) endIsSigned = true
  }
  if (!endIsSigned) return fail(last, 'the document holds no receipt for its end')
  return pass('receipts_hold', { n: kept.length })
}
