// The seating of a game by public bodies alone: players, control, keys, and the required next entry.

import { added, emptyKeys, follow as followKeys } from '../base/seat_keys.js'
import { found } from '../base/finding.js'

/** @typedef {import('./verdict.js').Finding} Finding */
/**
 * The player of a seat, and the state of the seat.
 * @typedef {{player: string, bot: string | null, keys: import('../base/seat_keys.js').SeatKeys, promise: string | null, revealed: string | null, control: 'player' | 'autopilot' | 'resigned', timeouts: number, autopiloted: number, plansAfter: number, others: number}} Sitting
 */
/** The required next entry. @typedef {{autopilot: number} | {reason: string, result: any}} Due */

const MOST_OTHERS = 8
const MOST_TIMEOUTS = 3
const OPEN_AFTER = 4

/** Types that count for the limit of 8 between two commands of the game. */
const LIMITED = ['takeback', 'pause', 'continue', 'resume', 'hand', 'revoke', 'rekey']
/** Stages at which each type is allowed. @type {Record<string, string>} */
const STAGES = { join: 'open', leave: 'open', reveal: 'full', start: 'full' }

/** Returns whether the player is away long enough for a substitute. @param {Sitting} sitting */
export const isLongAway = (sitting) => sitting.control === 'autopilot' && sitting.autopiloted >= OPEN_AFTER

/** @param {any} genesis */
export function openStanding(genesis) {
  const { clock, takebacks, substitutes } = genesis
  const standing = {
    /** @type {'open' | 'full' | 'running' | 'over'} */
    status: 'open',
    /** @type {(Sitting | null)[]} */
    seats: Array(genesis.seats).fill(null),
    take,
    admit,
  }
  const promises = new Set()
  const nonces = new Set()
  /** @type {number[]} */
  let resigned = []
  /** @type {Due | null} */
  let due = null

  /**
   * Applies an entry, or returns why it is not allowed. `gap` is the time since the previous entry.
   * @param {any} body
   * @param {number} seq
   * @param {number} gap
   * @returns {Finding | null}
   */
  function take(body, seq, gap) {
    const refused = admit(body, gap)
    if (refused) return refused
    follow(body, seq)
    return null
  }

  /** @param {any} body @param {number} gap @returns {Finding | null} */
  function admit(body, gap) {
    return (
      dueRefuses(body) ??
      stageRefuses(body) ??
      seatRefuses(body) ??
      termsRefuse(body, gap) ??
      onceRefuses(body) ??
      limitRefuses(body)
    )
  }

  /** @param {any} body */
  function dueRefuses({ type, seat, reason, result }) {
    const isEnd = type === 'end'
    if (!due) {
      if (type === 'autopilot') return found('autopilot_not_due', { seat })
      return isEnd && (reason === 'resigned' || reason === 'abandoned')
        ? found('end_not_due', { reason })
        : null
    }
    if ('autopilot' in due) {
      const is = (type === 'autopilot' && seat === due.autopilot) || (isEnd && reason === 'finished')
      return is ? null : found('autopilot_due', { seat: due.autopilot })
    }
    const is = isEnd && reason === due.reason && JSON.stringify(result) === JSON.stringify(due.result)
    return is ? null : found('end_due', { reason: due.reason })
  }

  /** @param {any} body */
  function stageRefuses({ type, reason }) {
    const { status } = standing
    const stages =
      type === 'end'
        ? reason === 'void'
          ? ['open', 'full']
          : reason === 'halted'
            ? ['open', 'full', 'running']
            : ['running']
        : [STAGES[type] ?? 'running']
    return type !== 'genesis' && stages.includes(status) ? null : found('not_here', { kind: type })
  }

  /** The seat must be free, or taken and under the right control. @param {any} body */
  function seatRefuses(body) {
    const { type, seat } = body
    if (seat === undefined) return null
    if (seat >= standing.seats.length) return found('no_such_seat', { seat })
    const there = standing.seats[seat] ?? null
    if (type === 'join') return there ? found('seat_not_free', { seat }) : null
    if (!there) return found('seat_not_taken', { seat })
    const needsPlayer =
      ['takeback', 'pause', 'continue'].includes(type) || (type === 'cmd' && body.by !== 'autopilot')
    const needsToStay = ['pause', 'continue', 'resume', 'resign', 'rekey', 'revoke', 'remove'].includes(type)
    if (there.control === 'resigned' && (needsToStay || needsPlayer)) return found('seat_resigned', { seat })
    if (there.control === 'autopilot' && needsPlayer) return found('seat_autopilots', { seat })
    return there.bot && ['pause', 'continue', 'rekey', 'revoke'].includes(type)
      ? found('seat_bots', { seat })
      : null
  }

  /** Checks entries that need consent in the terms of the table. @param {any} body @param {number} gap */
  function termsRefuse(body, gap) {
    const needsClock =
      ['pause', 'continue', 'autopilot', 'outage'].includes(body.type) ||
      (body.type === 'cmd' && body.by === 'autopilot' && standing.seats[body.seat]?.control === 'player')
    if (needsClock && !clock) return found('no_clock')
    if (body.type === 'takeback' && !takebacks) return found('no_takebacks')
    if (body.type === 'hand' && !substitutes) return found('no_substitutes')
    return body.type === 'outage' && body.ms > gap ? found('outage_too_long', { ms: body.ms, gap }) : null
  }

  /** Promises and nonces are there once in a game. @param {any} body */
  function onceRefuses(body) {
    const claim = body.type === 'join' ? body.signed : body.taken
    if (body.type === 'join' && body.commit && promises.has(body.commit)) return found('promise_twice')
    return claim && nonces.has(claim.nonce) ? found('nonce_twice') : null
  }

  /** @param {any} body */
  function limitRefuses({ type, seat }) {
    const isFull = LIMITED.includes(type) && (standing.seats[seat]?.others ?? 0) >= MOST_OTHERS
    return isFull ? found('too_many_entries', { seat, most: MOST_OTHERS }) : null
  }

  /** @param {any} body @param {number} seq */
  function follow(body, seq) {
    const { type, seat } = body
    due = null
    const there = seat === undefined ? null : (standing.seats[seat] ?? null)
    if (there && body.signed?.devices) there.keys = added(there.keys, body.signed)
    if (type === 'join') sitDown(body, seq)
    if (type === 'leave') standing.seats[seat] = null
    if (type === 'reveal' && there) there.revealed = body.entropy
    if (type === 'start') standing.status = 'running'
    if (type === 'end') standing.status = 'over'
    if (type === 'cmd' && there) noteCommand(body, there)
    if (type === 'hand' && there) handOver(body, there, seq)
    if (there && (type === 'resume' || type === 'takeback'))
      Object.assign(there, { timeouts: 0, autopiloted: 0 })
    if (type === 'resume' && there) there.control = 'player'
    if (there && ['resume', 'rekey', 'revoke'].includes(type)) there.plansAfter = seq
    if (there) there.keys = followKeys(there.keys, body)
    if (type === 'autopilot' && there) Object.assign(there, { control: 'autopilot', autopiloted: 0 })
    if ((type === 'resign' || type === 'remove') && there) {
      there.control = 'resigned'
      resigned.push(seat)
    }
    if (['resign', 'remove', 'autopilot'].includes(type)) due = endOfPlay(type !== 'autopilot')
    const now = seat === undefined ? null : standing.seats[seat]
    if (now && LIMITED.includes(type)) now.others += 1
  }

  /** @param {any} body @param {number} seq */
  function sitDown(body, seq) {
    if (body.commit) promises.add(body.commit)
    if (body.signed) nonces.add(body.signed.nonce)
    standing.seats[body.seat] = sitting(body, body.signed, body.commit, seq)
    if (!standing.seats.includes(null)) standing.status = 'full'
  }

  /** @param {any} body @param {Sitting} there @param {number} seq */
  function handOver(body, there, seq) {
    if (body.taken) nonces.add(body.taken.nonce)
    standing.seats[body.seat] = {
      ...sitting(body, body.taken, there.promise, seq),
      revealed: there.revealed,
      others: there.others,
    }
    resigned = resigned.filter((seat) => seat !== body.seat)
  }

  /** @param {any} body @param {any} claim @param {string | null} promise @param {number} seq @returns {Sitting} */
  const sitting = (body, claim, promise, seq) => ({
    player: body.player,
    bot: body.bot,
    keys: emptyKeys(claim ? [claim.key] : []),
    promise,
    revealed: null,
    control: 'player',
    timeouts: 0,
    autopiloted: 0,
    plansAfter: seq,
    others: 0,
  })

  /** @param {any} body @param {Sitting} there */
  function noteCommand(body, there) {
    standing.seats.forEach((one) => one && (one.others = 0))
    if (body.by === 'player') Object.assign(there, { timeouts: 0, autopiloted: 0 })
    if (body.by === 'plan') there.timeouts = 0
    if (body.by !== 'autopilot') return
    there.timeouts += 1
    there.autopiloted += 1
    if (there.control === 'player' && there.timeouts >= MOST_TIMEOUTS) due = { autopilot: body.seat }
  }

  /**
   * Returns the required `end` after a resignation, or after the autopilot took a seat over.
   * @param {boolean} isResigned
   * @returns {Due | null}
   */
  function endOfPlay(isResigned) {
    const taken = standing.seats.flatMap((one, seat) => (one ? [{ seat, ...one }] : []))
    const staying = taken.filter(({ control }) => control !== 'resigned')
    if (isResigned && staying.length === 1) {
      const order = [staying[0]?.seat ?? 0, ...[...resigned].reverse()]
      return { reason: 'resigned', result: order.map((seat, at) => ({ place: at + 1, seat })) }
    }
    const persons = taken.filter(({ bot }) => bot === null)
    return persons.length > 0 && !persons.some(({ control }) => control === 'player')
      ? { reason: 'abandoned', result: null }
      : null
  }

  return standing
}

/** @typedef {ReturnType<typeof openStanding>} Standing */
