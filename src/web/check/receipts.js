// Check 4: every receipt agrees with this history, and the end is signed.

import { be64, hash, hex, same, unbase64, unhex, utf8 } from '../base/bytes.js'
import { found } from '../base/finding.js'
import { hasSigned, isOf, readKey, readLine, readReceipt } from '../base/notes.js'
import { checkProof } from './proofs.js'
import { fail, notRun, pass } from './verdict.js'

/** @typedef {import('../base/notes.js').NoteKey} NoteKey */
/**
 * A kept receipt, with or without a proof of its head.
 * @typedef {string | {receipt: string, proof: string}} Kept
 */
/** An old key and its successor. @typedef {{ended: NoteKey, begun: NoteKey}} Succession */
/**
 * A restore statement.
 * @typedef {{receipts: Succession, tree: Succession, at: number, leaves: bigint, places: Set<string>}} Restore
 */

/** Returns a number in its plain form, or null. @param {string} text */
const plain = (text) =>
  /^(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null

/**
 * Reads a statement strictly, and checks the signatures of all its keys. Returns null otherwise.
 * @param {string} statement
 * @returns {Promise<Restore | null>}
 */
export async function readRestore(statement) {
  const [text = '', signatures = '', ...more] = statement.split('\n\n')
  const [title, a = '', b = '', c = '', d = '', atText = '', leavesText = '', rootText = '', ...places] =
    text.split('\n')
  const lines = signatures.split('\n')
  const keys = await Promise.all([a, b, c, d].map((key) => readKey(key)))
  const [at, leaves, root] = [plain(atText), plain(leavesText), unbase64(rootText)]
  const isOrdered = places.every(
    (place, no) => unhex(place, 32) && (no === 0 || (places[no - 1] ?? '') < place),
  )
  if (
    title !== 'fairlog/3 restore' ||
    at === null ||
    leaves === null ||
    root?.length !== 32 ||
    !isOrdered ||
    more.length ||
    lines.length !== 5 ||
    lines[4] !== ''
  )
    return null
  const [ended, begun, treeEnded, treeBegun] = keys
  if (!ended || !begun || !treeEnded || !treeBegun || treeEnded.name === treeBegun.name) return null
  const all = [ended, begun, treeEnded, treeBegun]
  if (new Set(all.map(({ key }) => hex(key))).size < 4 || [a, b, c, d].some((key) => key !== key.trim()))
    return null
  for (const [no, key] of all.entries()) {
    const signed = readLine(lines[no] ?? '')
    if (!signed || !isOf(key, signed) || !(await hasSigned(key, signed, `${text}\n`))) return null
  }
  return {
    receipts: { ended, begun },
    tree: { ended: treeEnded, begun: treeBegun },
    at,
    leaves: BigInt(leaves),
    places: new Set(places),
  }
}

/** @param {import('./document.js').ReplayDocument} document @param {import('./chain.js').History} history
 * @param {{receipts: Kept[], keys: NoteKey[], restores: Restore[], logs: NoteKey[], witnesses: NoteKey[], quorum: number}} given */
export async function checkReceipts(document, history, given) {
  if (given.keys.length === 0) return notRun(found('no_receipt_keys'))
  const judge = await judgeOf(document, history, given)
  const last = history.heads.length - 1
  const own = await judge(document.receipt)
  const isOfEnd = 'wrong' in own || (own.says !== 'excused' && own.seq === last)
  /** @type {Told[]} */
  const told = [
    isOfEnd
      ? own
      : { seq: 'seq' in own && own.says !== 'excused' ? own.seq : last, wrong: found('receipt_not_of_end') },
  ]
  for (const kept of given.receipts)
    told.push(await (typeof kept === 'string' ? judge(kept) : judge(kept.receipt, kept.proof)))
  const convictions = told.flatMap((one) => ('wrong' in one ? [one] : []))
  convictions.sort((one, other) => (one.seq ?? Infinity) - (other.seq ?? Infinity))
  const [first] = convictions
  if (first) return fail(first.seq, first.wrong)
  const count = (/** @type {string} */ says) =>
    told.filter((one) => 'says' in one && one.says === says).length
  if (count('lost history') > 0) return notRun(found('history_lost'))
  return count('excused') > 0
    ? notRun(found('receipts_excused', { count: count('excused') }))
    : pass(found('receipts_agree', { count: count('agrees') }))
}

/**
 * Returns the verdict of a receipt.
 * @typedef {{seq: number, says: 'agrees' | 'excused' | 'lost history'} | {seq: number | null, wrong: import('./verdict.js').Finding}} Told
 */

/** @param {import('./document.js').ReplayDocument} document @param {import('./chain.js').History} history
 * @param {{keys: NoteKey[], restores: Restore[], logs: NoteKey[], witnesses: NoteKey[], quorum: number}} given
 * @returns {Promise<(note: string, proof?: string) => Promise<Told>>} */
async function judgeOf({ entries }, { genesis, heads }, { keys, restores, logs, witnesses, quorum }) {
  const places =
    restores.length === 0
      ? []
      : await Promise.all(
          heads.map(async (head, seq) => hex(await hash('restore', utf8(genesis.game), be64(seq), head))),
        )

  /** @param {{seq: number, at: number, head: string}} receipt */
  const agrees = ({ seq, at, head }) =>
    heads[seq] !== undefined && hex(heads[seq]) === head && entries[seq]?.body.at === at

  /** @param {{seq: number, at: number, head: string}} receipt @returns {Told} */
  function byKeyInUse(receipt) {
    const { seq } = receipt
    if (agrees(receipt)) return { seq, says: 'agrees' }
    if (!heads[seq]) return { seq, wrong: found('receipt_of_missing_entry') }
    return {
      seq,
      wrong: found(hex(heads[seq]) === receipt.head ? 'receipt_of_other_time' : 'receipt_of_other_history'),
    }
  }

  /**
   * Returns the verdict for a key that ended with a restore, in the order of the format.
   * @param {{seq: number, at: number, head: string}} receipt
   * @param {Restore} restore
   * @param {string | undefined} proof
   * @returns {Promise<Told>}
   */
  async function byEndedKey(receipt, restore, proof) {
    const { seq } = receipt
    if (receipt.at > restore.at) return { seq, wrong: found('signed_after_end') }
    const last = places.findLastIndex((place) => restore.places.has(place))
    if (last < 0 || seq <= last) return byKeyInUse(receipt)
    if (agrees(receipt)) return { seq, says: 'lost history' }
    const wrong = proof === undefined ? null : await convicts(receipt, restore, proof)
    return wrong ? { seq, wrong } : { seq, says: 'excused' }
  }

  /**
   * Returns whether the proof of an excused receipt convicts the server.
   * @param {{head: string}} receipt
   * @param {Restore} restore
   * @param {string} proof
   */
  async function convicts(receipt, restore, proof) {
    const head = unhex(receipt.head) ?? new Uint8Array()
    const pinned = await checkProof(proof, head, {
      logs: [...logs, restore.tree.ended, restore.tree.begun],
      witnesses,
      quorum,
    })
    if (typeof pinned === 'string') return found('proof_fails', { why: pinned })
    const isBy = (/** @type {NoteKey} */ key) =>
      pinned.origin === key.name && pinned.signers.some((signer) => same(signer.key, key.key))
    if (isBy(restore.tree.begun)) return found('lost_entry_in_new_tree')
    if (!isBy(restore.tree.ended)) return null
    if (pinned.index < restore.leaves) return found('lost_entry_in_backup')
    return pinned.seen.some(({ time }) => time * 1000n > BigInt(restore.at)) ? found('old_tree_grew') : null
  }

  return async (note, proof) => {
    const receipt = readReceipt(note)
    if (!receipt) return { seq: null, wrong: found('receipt_malformed', { why: '' }) }
    const { seq } = receipt
    const key = keys.find((one) => isOf(one, receipt.line))
    if (!key || !(await hasSigned(key, receipt.line, receipt.text)))
      return { seq, wrong: found('receipt_not_genuine', { why: receipt.line.name }) }
    if (receipt.game !== genesis.game)
      return { seq: null, wrong: found('receipt_of_other_game', { game: receipt.game }) }
    const restore = restores.find(
      ({ receipts: { ended } }) => ended.name === key.name && same(ended.key, key.key),
    )
    return restore ? byEndedKey(receipt, restore, proof) : byKeyInUse(receipt)
  }
}
