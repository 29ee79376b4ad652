// Check 4: every receipt names the head that this history has at its seq, and the end is signed. What was lost when a backup was
// put back, by the operator's own signed statement, is not held against it.

import { be64, hash, hex, same, unhex, utf8 } from '../base/bytes.js'
import { hasSigned, isOf, readKey, readLine, readReceipt } from '../base/notes.js'
import { fail, notRun, pass } from './verdict.js'

/** @typedef {import('../base/notes.js').NoteKey} NoteKey */
/** A statement of which game stood where when a key ended. @typedef {{ended: NoteKey, at: number, places: Set<string>}} Restore */
/** Where a key ended in one game, and when. @typedef {{key: NoteKey, last: number, at: number}} End */

/** Reads a statement strictly, and checks that both of its keys signed it; else null. @param {string} statement @returns {Promise<Restore | null>} */
export async function readRestore(statement) {
  const [text = '', signatures = '', ...more] = statement.split('\n\n')
  const [title, endedText = '', nextText = '', atText = '', ...places] = text.split('\n')
  const [byEnded = '', byNext = '', rest, ...lines] = signatures.split('\n')
  const [ended, next, at] = [await readKey(endedText), await readKey(nextText), Number(atText)]
  const isPlain = String(at) === atText && Number.isSafeInteger(at) && at >= 0
  const isOrdered = places.every((place, no) => unhex(place, 32) && (no === 0 || (places[no - 1] ?? '') < place))
  if (title !== 'fairlog restore' || !ended || !next || !isPlain || !isOrdered || rest !== '' || more.length || lines.length) return null
  for (const [key, line] of /** @type {[NoteKey, string][]} */ ([[ended, byEnded], [next, byNext]])) {
    const signed = readLine(line)
    if (!signed || !isOf(key, signed) || !(await hasSigned(key, signed, `${text}\n`))) return null
  }
  return { ended, at, places: new Set(places) }
}

/** @param {string} game @param {Uint8Array[]} heads @param {Restore[]} restores @returns {Promise<End[]>} */
async function endsOf(game, heads, restores) {
  if (restores.length === 0) return []
  const places = await Promise.all(heads.map(async (head, seq) => hex(await hash('fairlog/1', 'restore', utf8(game), be64(seq), head))))
  return restores.flatMap(({ ended, at, places: listed }) => {
    const last = places.findLastIndex((place) => listed.has(place))
    return last < 0 ? [] : [{ key: ended, last, at }]
  })
}

/** @param {import('./document.js').ReplayDocument} document @param {import('./chain.js').History} history
 * @param {string[]} kept @param {NoteKey[]} keys @param {Restore[]} restores */
export async function checkReceipts({ format, entries, receipts }, { genesis, heads }, kept, keys, restores) {
  if (keys.length === 0) return notRun('receipts_no_key')
  const ends = await endsOf(genesis.game, heads, restores)
  const last = heads.length - 1
  let endIsSigned = false, isLost = false, lost = 0

  /** What a receipt says of this history: it stands, it was lost, it is this history that was; or what is wrong. @param {string} note */
  async function judge(note) {
    const receipt = readReceipt(note)
    if (!receipt) return fail(null, 'a receipt cannot be read')
    const { seq } = receipt
    const key = keys.find((one) => isOf(one, receipt.line))
    if (!key) return fail(seq, `a receipt is signed by \`${receipt.line.name}\`, whose key was not given`)
    if (!(await hasSigned(key, receipt.line, receipt.text))) return fail(seq, 'the signature of a receipt does not fit')
    if (receipt.format !== format) return fail(seq, 'a receipt is of another format than the game')
    if (receipt.game !== genesis.game) return fail(null, 'a receipt is for another game')
    const head = heads[seq]
    const stands = head !== undefined && hex(head) === receipt.head
    const end = ends.find((one) => one.key.name === key.name && same(one.key.key, key.key) && one.last < seq)
    if (end && stands) return (entries[seq]?.body.at ?? 0) > end.at ? fail(seq, 'a key signed this entry after the operator had said that it had ended') : 'lost here'
    if (end) return 'lost'
    if (!head) return fail(seq, 'the operator signed an entry that this history does not have')
    return stands ? seq : fail(seq, 'the operator signed another history up to this entry')
  }

  for (const note of receipts) {
    const said = await judge(note)
    if (typeof said === 'object') return said
    if (said === last) endIsSigned = true
    if (said === 'lost here') isLost = true
  }
  if (!endIsSigned && !isLost) return fail(last, 'the document holds no receipt for its end')
  for (const note of kept) {
    const said = await judge(note)
    if (typeof said === 'object') return said
    if (said === 'lost here') isLost = true
    if (said === 'lost') lost += 1
  }
  if (isLost) return notRun('receipts_lost_here')
  return lost === 0 ? pass('receipts_hold', { n: kept.length }) : pass('receipts_hold_but', { n: kept.length - lost, lost })
}
