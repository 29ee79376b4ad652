// The receipts that this browser was given: each is looked at, and kept with the key that signed it, for they
// are what convicts a server.

import { get, line } from './api.js'
import { hasSigned, isOf, readKey, readReceipt } from './notes.js'
import { canVerify } from './points.js'
import { put, range } from './vault.js'

/** How far the time of a new receipt may be from this browser's, in milliseconds. */
const MOST_APART = 60_000

/** A key of the server's, and how it is written. @typedef {{text: string, read: import('./notes.js').NoteKey}} Named */

/** The keys with which this server signs. @type {Promise<Named[]> | null} */
let keys = null

/** @returns {Promise<Named[]>} */
async function readKeys() {
  const { keys: all } = await get('/v1/keys')
  const texts = all.flatMap((/** @type {any} */ { use, key }) => (use === 'receipts' ? [key] : []))
  const read = await Promise.all(
    texts.map(async (/** @type {string} */ text) => ({ text, read: await readKey(text) })),
  )
  return read.filter((key) => key.read !== null)
}

/** Whether this server has signed a receipt of this game; a browser that cannot tell believes it, and throws where the keys could
 * not be read.
 * @param {string | null | undefined} note @param {string} game */
export const isGenuine = async (note, game) => !(await canVerify()) || (await signerOf(note, game)) !== null

/** The key of this server that signed a receipt of this game. @param {string | null | undefined} note @param {string} game */
async function signerOf(note, game) {
  const receipt = readReceipt(note ?? '')
  if (!receipt || receipt.game !== game) return null
  for (const isLast of [false, true]) {
    keys ??= readKeys()
    const all = await keys.catch((problem) => {
      keys = null
      throw problem
    })
    const key = all.find(({ read }) => isOf(read, receipt.line))
    if (key) return (await hasSigned(key.read, receipt.line, receipt.text)) ? key.text : null
    // A server that was put back from a backup signs with another key.
    if (!isLast) keys = null
  }
  return null
}

/** Keeps a receipt of a game. One that is no good is kept as well, and said to be none; so is a new one of another time.
 * @param {string} game @param {string | null | undefined} receipt @param {boolean} [isNew] whether its entry was written just now */
export async function keepReceipt(game, receipt, isNew = true) {
  if (!receipt) return
  // Whatever the server gives later, it pushes none out.
  await put('receipts', `${game} ${receipt}`, { note: receipt, key: null }).catch(() => null)
  const key = (await canVerify()) ? await signerOf(receipt, game).catch(() => undefined) : undefined
  if (key) await put('receipts', `${game} ${receipt}`, { note: receipt, key }).catch(() => null)
  const apart = Math.abs((readReceipt(receipt)?.at ?? 0) - Date.now())
  const doubt = key === null ? 'doubted' : isNew && apart > MOST_APART ? 'clock_apart' : null
  if (!doubt) return
  line.doubt = doubt
  line.listeners.forEach((listener) => listener())
}

/** The receipts of a game that this browser kept, and the keys that signed them. @param {string} game */
export async function receiptsOf(game) {
  /** @type {{note: string, key: string | null}[]} */
  const kept = await range('receipts', `${game} `).catch(() => [])
  return {
    notes: kept.map(({ note }) => note),
    keys: [...new Set(kept.flatMap(({ key }) => (key ? [key] : [])))],
  }
}
