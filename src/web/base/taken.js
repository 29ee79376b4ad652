// Seat requests of this browser, as they were sent. A log that contradicts them is not believed.

import { canonical } from './bytes.js'
import { termsOf } from './seating.js'
import { session } from './store.js'
import { put, range } from './vault.js'

/**
 * A sent request for a seat. `isDone`: the server confirmed it.
 * @typedef {{game: string, type: 'join' | 'hand', seat: number, player: string, commit: string | null, isDone: boolean, claim: {key: string, nonce: string, sig: string}, terms: any, genesis?: any, body?: any}} Taken
 */

/** @param {Taken} taken */
export const keepTaken = (taken) => put('taken', `${taken.game} ${taken.claim.nonce}`, taken)

/**
 * Returns whether a log contradicts a sent request. The contradiction is kept.
 * @param {string} game
 * @param {import('./log.js').Log} log
 */
export async function unlike(game, log) {
  const me = session.get()?.player.id
  /** @type {Taken[]} */
  const all = (await range('taken', `${game} `)).filter(({ player }) => player === me)
  // After a restore a player may have joined again, so the newest request counts.
  const sits = log.seats.some((sitting) =>
    all.some(({ claim }) => claim.nonce === claimOf(sitting?.body)?.nonce),
  )
  for (const taken of all) {
    const body = log.claims.get(taken.claim.nonce)
    if (!body) {
      if (!sits && (taken.isDone || isBare(taken, log))) return true
      continue
    }
    if (!isAsSent(taken, body, log.genesis)) return true
    if (!taken.body) await keepTaken({ ...taken, isDone: true, genesis: log.genesis, body }).catch(() => null)
  }
  return false
}

/**
 * Returns whether a signed request resulted in a seat without a key.
 * @param {Taken} taken
 * @param {import('./log.js').Log} log
 */
function isBare({ seat, type, player }, log) {
  const body = log.seats[seat]?.body
  return body?.type === type && body.player === player && !claimOf(body)
}

/** @param {any} body of a `join` or a `hand` */
const claimOf = (body) => (body?.type === 'join' ? body.signed : body?.taken)

/** @param {Taken} taken @param {any} body @param {any} genesis */
function isAsSent({ game, type, seat, player, commit, claim, terms }, body, genesis) {
  const shown = { commit: type === 'join' ? body.commit : null, claim: claimOf(body) }
  return (
    genesis.game === game &&
    body.type === type &&
    body.seat === seat &&
    body.player === player &&
    body.bot === null &&
    canonical(shown) === canonical({ commit, claim }) &&
    canonical(termsOf(genesis)) === canonical(terms)
  )
}
