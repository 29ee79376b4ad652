// Check 8: the game stands in a public tree (C2SP tlog-proof), which witnesses have seen.

import { hex, join, same, sha256, unbase64, utf8 } from '../base/bytes.js'
import { isOf, readLine } from '../base/notes.js'
import { verifies } from '../base/points.js'
import { fail, notRun, pass } from './verdict.js'

/** @typedef {import('../base/notes.js').NoteKey} NoteKey */

/** A time that a witness may sign is no later, in seconds since 1970. */
const LATEST = 2n ** 63n - 1n

const TITLE = 'c2sp.org/tlog-proof@v1\nindex '
/** An index and 63 hashes are shorter. */
const LONGEST_HEAD = 4096

/** @param {import('./document.js').ReplayDocument} document @param {import('./chain.js').History} history
 * @param {{logs: NoteKey[], witnesses: NoteKey[], quorum: number}} given */
export async function checkProofs({ proofs }, { heads }, given) {
  if (proofs.length === 0) return notRun('proofs_none')
  if (given.logs.length === 0) return notRun('proofs_no_key')
  const head = heads.at(-1) ?? new Uint8Array()
  let seen = 0
  for (const text of proofs) {
    const found = await checkProof(text, head, given)
    if (typeof found === 'string') return fail(heads.length - 1, `a proof does not hold: ${found}`)
    seen = Math.max(seen, found.witnesses)
  }
  return seen === 0 ? pass('proofs_hold_alone') : pass('proofs_hold', { n: seen })
}

/** @param {string} text @param {Uint8Array<ArrayBuffer>} head @param {{logs: NoteKey[], witnesses: NoteKey[], quorum: number}} given */
async function checkProof(text, head, { logs, witnesses, quorum }) {
  const proof = read(text)
  if (typeof proof === 'string') return proof
  let isSigned = false
  for (const line of proof.lines) {
    const key = logs.find((one) => isOf(one, line))
    if (!key) continue
    if (!(await verifies(key.key, line.signature, utf8(proof.text)))) return 'the log’s signature does not fit its checkpoint'
    isSigned ||= key.name === proof.origin
  }
  if (!isSigned) return 'its checkpoint is not signed by a given key of its log'
  /** @type {Set<string>} */
  const seen = new Set()
  for (const line of proof.lines) {
    const witness = witnesses.find((one) => isOf(one, line))
    if (!witness) continue
    const time = line.signature.length === 72 ? new DataView(line.signature.buffer, line.signature.byteOffset).getBigUint64(0) : 0n
    const message = utf8(`cosignature/v1\ntime ${time}\n${proof.text}`)
    if (line.signature.length !== 72 || time > LATEST || !(await verifies(witness.key, line.signature.slice(8), message))) return 'the signature of a given witness does not fit its checkpoint'
    seen.add(hex(witness.key))
  }
  if (seen.size < quorum) return `${seen.size} of the given witnesses have signed it, and ${quorum} are asked for`
  const root = await rootOf(head, proof.index, proof.size, proof.hashes)
  return root && same(root, proof.root) ? { witnesses: seen.size } : 'its hashes do not lead from the head of this game’s end to the root of the tree'
}

/** @param {string} text */
function read(text) {
  const end = text.indexOf('\n\n')
  const head = text.slice(TITLE.length, end), note = text.slice(end + 2)
  if (!text.startsWith(TITLE) || end < 0 || head.length > LONGEST_HEAD) return 'it cannot be read'
  const [indexText = '', ...hashTexts] = head.split('\n')
  const [checkpoint = '', signatures, ...more] = note.split('\n\n')
  const [origin = '', sizeText = '', rootText = '', ...rest] = checkpoint.split('\n')
  const hashes = hashTexts.map(hash32)
  const [index, size, root] = [plain(indexText), plain(sizeText), hash32(rootText)]
  const lines = signatures?.endsWith('\n') ? signatures.slice(0, -1).split('\n').map(readLine) : []
  const isWhole = index !== null && size !== null && root !== null && origin !== '' && more.length === 0 && rest.length === 0
  if (!isWhole || hashes.length > 63 || lines.length === 0 || lines.length > 16) return 'it cannot be read'
  if (hashes.includes(null) || lines.includes(null)) return 'it cannot be read'
  return { index, size, root, origin, text: `${checkpoint}\n`, hashes: /** @type {Uint8Array[]} */ (hashes), lines: /** @type {import('../base/notes.js').Line[]} */ (lines) }
}

/** A number as it is written plainly. @param {string} text */
const plain = (text) => (/^(0|[1-9]\d{0,18})$/.test(text) && BigInt(text) < 2n ** 63n ? BigInt(text) : null)

/** @param {string} text */
function hash32(text) {
  const bytes = unbase64(text)
  return bytes?.length === 32 ? bytes : null
}

/** The root of the tree of this size in which the leaf stands at the index (RFC 9162, 2.1.3.2).
 * @param {Uint8Array} leaf @param {bigint} index @param {bigint} size @param {Uint8Array[]} hashes */
export async function rootOf(leaf, index, size, hashes) {
  if (index >= size) return null
  let place = index, last = size - 1n
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
