// Reveals the promised bytes of the shuffle automatically when the table is full.

import { get, isPassing, send } from './api.js'
import { broken, readTrueLog } from './log.js'
import { readReceipt } from './notes.js'
import { isGenuine, keepReceipt } from './receipts.js'
import { session } from './store.js'
import { take } from './vault.js'

/** Games whose bytes are revealed or being revealed. @type {Map<string, Promise<void>>} */
const revealing = new Map()

/** Reveals the bytes of a full table, if this browser promised them. @param {any} game */
export function reveal(game) {
  if (game.status !== 'sealed') return Promise.resolve()
  const now = revealing.get(game.id) ?? revealOnce(game)
  revealing.set(game.id, now)
  now.catch((problem) => {
    revealing.delete(game.id)
    // The other players wait, so try again.
    if (isPassing(problem?.status)) setTimeout(() => void reveal(game).catch(() => null), 5000)
  })
  return now
}

/**
 * Returns whether a receipt covers all joins of this log. Otherwise the server could fill the table again
 * until it likes the shuffle.
 * @param {string | undefined} note
 * @param {string} game
 * @param {import('./log.js').Log} log
 */
async function coversJoins(note, game, log) {
  const receipt = readReceipt(note ?? '')
  return (
    receipt !== null &&
    log.full !== null &&
    receipt.seq >= log.full &&
    log.heads[receipt.seq] === receipt.head &&
    (await isGenuine(note, game))
  )
}

/** @param {any} game */
async function revealOnce(game) {
  const me = session.get()?.player.id
  const mine = game.seats.find((/** @type {any} */ seat) => seat.player?.id === me)
  if (mine?.entropy !== 'promised') return
  const { seal_receipt: receipt } = await get(`/v1/games/${game.id}`)
  const log = await readTrueLog(game.id)
  /** @type {import('./seats.js').Promised | undefined} */
  const promised = await take('promises', log.seats[mine.seat]?.promise ?? '')
  if (!promised) return
  if (promised.game !== game.id || !(await coversJoins(receipt, game.id, log))) throw broken()
  await keepReceipt(game.id, receipt, false)
  const done = await send('POST', `/v1/games/${game.id}/entropy`, { entropy: promised.bytes })
  await keepReceipt(game.id, done.receipt)
}
