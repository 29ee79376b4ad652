// Taking a seat: signed by this browser's key for one game, seat and set of terms, and with promised random
// bytes before the shuffle.

import { Problem, send, serverNow } from './api.js'
import { hash, hex } from './bytes.js'
import { readLog, readTrueLog } from './log.js'
import { ownKey, signWith } from './own_key.js'
import { keepReceipt } from './receipts.js'
import { seatingMessage, termsOf } from './seating.js'
import { session } from './store.js'
import { keepTaken } from './taken.js'
import { put } from './vault.js'

/** Promised bytes, and their table. @typedef {{bytes: string, game: string}} Promised */
/**
 * A seat to take: a game, its terms, and seats in order of preference. In a running game the seat is handed
 * over.
 * @typedef {{game: string, terms: any, seats: number[], type?: 'join' | 'hand'}} Place
 */

/** Returns the free seats. @param {{seats: {seat: number, player: any}[]}} game */
export const freeSeats = ({ seats }) => seats.filter(({ player }) => !player).map(({ seat }) => seat)

/** Returns the free seats of a game with a readable log. @param {import('../types.d.ts').Game} game */
export const seatOf = (game) => async () => ({
  game: game.id,
  terms: await readTerms(game.id),
  seats: freeSeats(game),
})

/** The terms of a game, as its log has them. @param {string} game */
export const readTerms = async (game) => termsOf((await readLog(game)).genesis)

/** An id for a new game: a UUID of version 7. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  new DataView(bytes.buffer).setBigUint64(
    0,
    (BigInt(serverNow()) << 16n) | 0x7000n | BigInt((((bytes[6] ?? 0) << 8) | (bytes[7] ?? 0)) & 0x0fff),
  )
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/**
 * Takes a seat. `where` finds the seat, and is called only if this browser signs.
 * @param {string} path
 * @param {() => Promise<Place>} where
 * @param {Record<string, any>} [more]
 * @returns {Promise<any>}
 */
export async function sitDown(path, where, more = {}) {
  const key = await ownKey()
  if (!key) return send('POST', path, more)
  const place = await where()
  for (const [at, seat] of place.seats.entries()) {
    const done = await take(path, key, place, seat, more).catch((problem) => {
      const isTaken = problem instanceof Problem && problem.code === 'seat_taken'
      if (!isTaken || at + 1 === place.seats.length) throw problem
      return null
    })
    if (done) return done
  }
  return send('POST', path, more)
}

/** @param {string} path @param {import('./own_key.js').OwnKey} key @param {Place} place @param {number} seat @param {Record<string, any>} more */
async function take(path, key, { game, terms, type = 'join' }, seat, more) {
  const player = session.get()?.player.id ?? ''
  const commit = type === 'join' ? await promise(game) : null
  const nonce = hex(crypto.getRandomValues(new Uint8Array(32)))
  const sig = await signWith(key, seatingMessage(game, seat, { type, player, commit }, nonce, terms))
  const claim = { key: key.hex, nonce, sig }
  const taken = { game, type, seat, player, commit, claim, terms, isDone: false }
  await keepTaken(taken)
  const promised = commit ? { entropy_commit: commit } : {}
  const done = await send('POST', path, { ...more, seat, signed: claim, ...promised }).catch((problem) =>
    unlessTaken(problem, game, nonce),
  )
  // A requested seat of a substitute is taken later.
  if (!done.id) return done
  await keepTaken({ ...taken, isDone: true })
  await keepReceipt(game, done.receipt)
  await readTrueLog(game)
  return done
}

/**
 * Makes random bytes for the shuffle. The hash is promised now; the bytes are revealed when the table is
 * full.
 * @param {string} game
 */
async function promise(game) {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const commit = hex(await hash('client', bytes))
  await put('promises', commit, { bytes: hex(bytes), game })
  return commit
}

/** A server could refuse, and use the signature all the same: before another is sent, the log is asked.
 * @param {any} problem @param {string} game @param {string} nonce */
async function unlessTaken(problem, game, nonce) {
  const log = await readLog(game).catch(() => null)
  if (log?.claims.has(nonce)) return { id: game }
  throw problem
}
