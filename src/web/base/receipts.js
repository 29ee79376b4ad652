// The receipts that this browser was given: each is looked at, and kept, for they are what convicts a server.

import { get, line } from './api.js'
import { hasSigned, isOf, readKey, readReceipt } from './notes.js'
import { canVerify } from './points.js'
import { put, range } from './vault.js'

/** The keys with which this server signs. @type {Promise<import('./notes.js').NoteKey[]> | null} */
let keys = null

/** @returns {Promise<import('./notes.js').NoteKey[]>} */
async function readKeys() {
  const { keys: all } = await get('/v1/keys')
  const read = await Promise.all(all.filter((/** @type {any} */ one) => one.use === 'receipts').map((/** @type {any} */ one) => readKey(one.key)))
  return read.filter((key) => key !== null)
}

/** Whether this server has signed a receipt of this game; a browser that cannot tell believes it, and throws where the keys could
 * not be read.
 * @param {string | null | undefined} note @param {string} game */
export async function isGenuine(note, game) {
  const receipt = readReceipt(note ?? '')
  if (!receipt || receipt.game !== game) return false
  if (!(await canVerify())) return true
  for (const isLast of [false, true]) {
    keys ??= readKeys()
    const all = await keys.catch((problem) => {
      keys = null
      throw problem
    })
    const key = all.find((one) => isOf(one, receipt.line))
    if (key) return hasSigned(key, receipt.line, receipt.text)
    // A server that was put back from a backup signs with another key.
    if (!isLast) keys = null
  }
  return false
}

/** Keeps a receipt of a game. One that is no good is kept as well, and said to be none. @param {string} game @param {string | null | undefined} receipt */
export async function keepReceipt(game, receipt) {
  if (!receipt) return
  // Whatever the server gives later, it pushes none out.
  await put('receipts', `${game} ${receipt}`, receipt).catch(() => null)
  if (await isGenuine(receipt, game).catch(() => true)) return
  line.isDoubted = true
  line.listeners.forEach((listener) => listener())
}

/** The receipts of a game that this browser kept. @param {string} game @returns {Promise<string[]>} */
export const receiptsOf = (game) => range('receipts', `${game} `).catch(() => [])
