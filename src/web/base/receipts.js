// Receipts of this browser. Each is checked, and kept with its key as evidence against the server.

import { get, line } from './api.js'
import { hasSigned, isOf, readKey, readReceipt } from './notes.js'
import { canVerify } from './points.js'
import { put, range } from './vault.js'

/** Largest difference between the time of a new receipt and the browser's, in milliseconds. */
const MOST_APART = 60_000

/** A key of the server, and its text. @typedef {{text: string, read: import('./notes.js').NoteKey}} Named */

/** The signing keys of the server. @type {Promise<Named[]> | null} */
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

/**
 * Returns whether the server signed a receipt of this game. Browsers that cannot check believe it. Throws if
 * the keys cannot be loaded.
 * @param {string | null | undefined} note
 * @param {string} game
 */
export const isGenuine = async (note, game) => !(await canVerify()) || (await signerOf(note, game)) !== null

/**
 * Returns the key that signed a receipt of this game.
 * @param {string | null | undefined} note
 * @param {string} game
 */
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
    // After a restore the server signs with another key.
    if (!isLast) keys = null
  }
  return null
}

/**
 * Keeps a receipt. Wrong receipts, and new receipts with a wrong time, are kept too and reported.
 * @param {string} game
 * @param {string | null | undefined} receipt
 * @param {boolean} [isNew] whether its entry was written just now
 */
export async function keepReceipt(game, receipt, isNew = true) {
  if (!receipt) return
  // Later receipts never replace this one.
  await put('receipts', `${game} ${receipt}`, { note: receipt, key: null }).catch(() => null)
  const key = (await canVerify()) ? await signerOf(receipt, game).catch(() => undefined) : undefined
  if (key) await put('receipts', `${game} ${receipt}`, { note: receipt, key }).catch(() => null)
  const apart = Math.abs((readReceipt(receipt)?.at ?? 0) - Date.now())
  const doubt = key === null ? 'doubted' : isNew && apart > MOST_APART ? 'clock_apart' : null
  if (!doubt) return
  line.doubt = doubt
  line.listeners.forEach((listener) => listener())
}

/** Returns the kept receipts of a game, and their keys. @param {string} game */
export async function receiptsOf(game) {
  /** @type {{note: string, key: string | null}[]} */
  const kept = await range('receipts', `${game} `).catch(() => [])
  return {
    notes: kept.map(({ note }) => note),
    keys: [...new Set(kept.flatMap(({ key }) => (key ? [key] : [])))],
  }
}
