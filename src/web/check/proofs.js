// Check 8: the game is in a public tree (C2SP tlog-proof) with witnesses. Check 11: the clock of the log was
// not ahead of the witnesses' clocks.

import { hex, join, same, sha256, unbase64, utf8 } from '../base/bytes.js'
import { found } from '../base/finding.js'
import { isOf, readLine } from '../base/notes.js'
import { verifies } from '../base/points.js'
import { fail, notRun, pass } from './verdict.js'

/** @typedef {import('../base/notes.js').NoteKey} NoteKey */
/** @typedef {import('./verdict.js').Verdict} Verdict */
/**
 * A valid proof.
 * @typedef {{origin: string, index: bigint, signers: NoteKey[], seen: {witness: string, time: bigint}[]}} Pinned
 */

/** Latest time that a witness may sign, in seconds since 1970. */
const LATEST = 2n ** 63n - 1n
/** Largest lead of the log's clock for check 11, in milliseconds. */
const MOST_AHEAD = 60_000n

const TITLE = 'c2sp.org/tlog-proof@v1\nindex '
const LONGEST = 16_384

/** @param {import('./document.js').ReplayDocument} document @param {import('./chain.js').History} history
 * @param {{logs: NoteKey[], witnesses: NoteKey[], quorum: number, proofs: {seq: number, proof: string}[]}} given
 * @returns {Promise<{proofs: Verdict, time: Verdict}>} */
export async function checkProofs({ entries, proofs }, { heads }, given) {
  const stop = (/** @type {Verdict} */ verdict) => ({
    proofs: verdict,
    time: notRun(found('needs_check', { check: 'log_proofs' })),
  })
  if (given.logs.length === 0) return stop(notRun(found('no_log_keys')))
  const all = [...given.proofs, ...proofs.map((proof) => ({ seq: heads.length - 1, proof }))]
  if (all.length === 0) return stop(notRun(found('no_proofs')))
  all.sort((one, other) => one.seq - other.seq)
  /** @type {{seq: number, pinned: Pinned}[]} */
  const pins = []
  for (const { seq, proof } of all) {
    const head = heads[seq]
    const pinned = head ? await checkProof(proof, head, given) : 'there is no such entry'
    if (typeof pinned === 'string') return stop(fail(seq, found('proof_fails', { why: pinned })))
    pins.push({ seq, pinned })
  }
  const newest = pins.at(-1)?.pinned
  const witnesses = new Set(newest?.seen.map(({ witness }) => witness)).size
  const verdict = pass(found('proofs_hold', { count: pins.length, tree: newest?.origin ?? '', witnesses }))
  return { proofs: verdict, time: judgeTimes(pins, entries) }
}

/** @param {{seq: number, pinned: Pinned}[]} pins @param {import('./document.js').Recorded[]} entries */
function judgeTimes(pins, entries) {
  let count = 0
  for (const { seq, pinned } of pins) {
    const at = BigInt(entries[seq]?.body.at ?? 0)
    for (const { time } of pinned.seen) {
      count += 1
      if (at > time * 1000n + MOST_AHEAD)
        return fail(seq, found('clock_ahead', { ms: String(at - time * 1000n) }))
    }
  }
  return count === 0 ? notRun(found('no_cosignature')) : pass(found('clock_not_ahead', { count }))
}

/**
 * Returns the content of a proof of this head, or the reason why it is invalid.
 * @param {string} text
 * @param {Uint8Array<ArrayBuffer>} head
 * @param {{logs: NoteKey[], witnesses: NoteKey[], quorum: number}} given
 * @returns {Promise<Pinned | string>}
 */
export async function checkProof(text, head, { logs, witnesses, quorum }) {
  const proof = read(text)
  if (typeof proof === 'string') return proof
  /** @type {NoteKey[]} */
  const signers = []
  for (const line of proof.lines) {
    const key = logs.find((one) => isOf(one, line))
    if (!key) continue
    if (!(await verifies(key.key, line.signature, utf8(proof.text))))
      return 'the log’s signature does not fit its checkpoint'
    signers.push(key)
  }
  if (!signers.some(({ name }) => name === proof.origin))
    return 'its checkpoint is not signed by a given key of its log'
  /** @type {Pinned['seen']} */
  const seen = []
  for (const line of proof.lines) {
    const witness = witnesses.find((one) => isOf(one, line))
    if (!witness) continue
    const time =
      line.signature.length === 72
        ? new DataView(line.signature.buffer, line.signature.byteOffset).getBigUint64(0)
        : 0n
    const message = utf8(`cosignature/v1\ntime ${time}\n${proof.text}`)
    if (
      line.signature.length !== 72 ||
      time > LATEST ||
      !(await verifies(witness.key, line.signature.slice(8), message))
    )
      return 'the signature of a given witness does not fit its checkpoint'
    seen.push({ witness: hex(witness.key), time })
  }
  const count = new Set(seen.map(({ witness }) => witness)).size
  if (count < quorum) return `${count} of the given witnesses have signed it, and ${quorum} are asked for`
  const root = await rootOf(head, proof.index, proof.size, proof.hashes)
  const leads = root !== null && same(root, proof.root)
  return leads
    ? { origin: proof.origin, index: proof.index, signers, seen }
    : 'its hashes do not lead from the head to the root of the tree'
}

/** @param {string} text */
function read(text) {
  const end = text.indexOf('\n\n')
  const head = text.slice(TITLE.length, end),
    note = text.slice(end + 2)
  if (utf8(text).length > LONGEST || !text.startsWith(TITLE) || end < 0) return 'it cannot be read'
  const [indexText = '', ...hashTexts] = head.split('\n')
  const [checkpoint = '', signatures, ...more] = note.split('\n\n')
  const [origin = '', sizeText = '', rootText = '', ...rest] = checkpoint.split('\n')
  const hashes = hashTexts.map(hash32)
  const [index, size, root] = [plain(indexText), plain(sizeText), hash32(rootText)]
  const lines = signatures?.endsWith('\n') ? signatures.slice(0, -1).split('\n').map(readLine) : []
  const isWhole =
    index !== null &&
    size !== null &&
    root !== null &&
    origin !== '' &&
    more.length === 0 &&
    rest.length === 0
  if (!isWhole || hashes.length > 63 || lines.length === 0 || lines.length > 16) return 'it cannot be read'
  if (hashes.includes(null) || lines.includes(null)) return 'it cannot be read'
  return {
    index,
    size,
    root,
    origin,
    text: `${checkpoint}\n`,
    hashes: /** @type {Uint8Array[]} */ (hashes),
    lines: /** @type {import('../base/notes.js').Line[]} */ (lines),
  }
}

/** Returns a number in its plain form. @param {string} text */
const plain = (text) => (/^(0|[1-9]\d{0,18})$/.test(text) && BigInt(text) < 2n ** 63n ? BigInt(text) : null)

/** @param {string} text */
function hash32(text) {
  const bytes = unbase64(text)
  return bytes?.length === 32 ? bytes : null
}

/**
 * Returns the root of a tree of this size with the leaf at the index (RFC 9162, 2.1.3.2).
 * @param {Uint8Array} leaf
 * @param {bigint} index
 * @param {bigint} size
 * @param {Uint8Array[]} hashes
 */
export async function rootOf(leaf, index, size, hashes) {
  if (index >= size) return null
  let place = index,
    last = size - 1n
  let node = await sha256(join([Uint8Array.of(0), leaf]))
  for (const hash of hashes) {
    if (last === 0n) return null
    if (place & 1n || place === last) {
      node = await sha256(join([Uint8Array.of(1), hash, node]))
      while (!(place & 1n) && place !== 0n) {
        place >>= 1n
        last >>= 1n
      }
    } else node = await sha256(join([Uint8Array.of(1), node, hash]))
    place >>= 1n
    last >>= 1n
  }
  return last === 0n ? node : null
}
