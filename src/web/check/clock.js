// Check 10: deadlines, banks, pauses and outages hold. The turns come from check 9.

import { found } from '../base/finding.js'
import { openStanding } from './standing.js'
import { fail, notRun, pass } from './verdict.js'

/**
 * Seat to act, and seats in the game, from an entry on.
 * @typedef {{seq: number, to_act?: number | null, in_game: number[]}} Course
 */
/** @typedef {{seat: number, since: number, bank: number}} Mark */

/** @param {import('./document.js').ReplayDocument} document @param {import('./chain.js').History} history @param {Course[]} course */
export function checkClock({ entries }, { genesis }, course) {
  if (!genesis.clock) return notRun(found('no_clock'))
  const clocks = openClocks(genesis)
  let place = 0
  for (const [seq, { body }] of entries.entries()) {
    const wrong = clocks.judge(body)
    if (wrong) return fail(seq, wrong)
    while ((course[place + 1]?.seq ?? Infinity) <= seq) place += 1
    clocks.follow(body, seq, (course[place]?.seq ?? Infinity) <= seq ? course[place] : undefined)
  }
  return pass(found('clock_holds'))
}

/** @param {any} genesis */
function openClocks({ seats, clock, ...genesis }) {
  const standing = openStanding({ seats, clock, ...genesis })
  const moveMs = clock.move_seconds * 1000
  const banks = Array(seats).fill(clock.bank_seconds * 1000)
  /** @type {boolean[]} */
  const asks = Array(seats).fill(false)
  /** Total time of ended pauses and outages. */
  let stopped = 0
  /** @type {number | null} */
  let pause = null
  /** @type {Mark | null} */
  let turn = null
  /** The turn after each entry. @type {(Mark | null)[]} */
  const marks = []
  const timeAt = (/** @type {number} */ at) => (pause ?? at) - stopped
  const last = (/** @type {Mark} */ mark) => mark.since + moveMs + mark.bank
  const backOf = (/** @type {any} */ { type, to }) => (type === 'takeback' ? (marks[to] ?? null) : null)

  /** @param {any} body */
  function judge(body) {
    const { type, seat } = body
    if (pause !== null && ['cmd', 'takeback', 'outage'].includes(type))
      return found('in_a_pause', { kind: type })
    if (turn && type === 'cmd' && turn.seat === seat) {
      const ms = Math.abs(last(turn) - timeAt(body.at))
      const isLate = timeAt(body.at) >= last(turn)
      if (body.by === 'autopilot' && !isLate) return found('timeout_early', { ms })
      if (body.by !== 'autopilot' && isLate) return found('decision_late', { ms })
    }
    const back = backOf(body)
    if (back && timeAt(body.at) >= last(back)) return found('takeback_late')
    if (type === 'pause' && asks[seat]) return found('asks_already', { seat })
    return type === 'continue' && !asks[seat] ? found('asks_not', { seat }) : null
  }

  /** @param {any} body @param {number} seq @param {Course | undefined} here */
  function follow(body, seq, here) {
    const { type, seat } = body
    if (type === 'outage') stopped += body.ms
    const time = timeAt(body.at)
    if (seq > 0) standing.take(body, seq, Infinity)
    const isRunning = standing.status === 'running'
    const isPlayers = (/** @type {number} */ one) => isRunning && standing.seats[one]?.control === 'player'
    const isVoter = (/** @type {number} */ one) =>
      isPlayers(one) && standing.seats[one]?.bot === null && (here?.in_game.includes(one) ?? false)
    const now = turn
    const decided = type === 'cmd' && now?.seat === seat
    if (decided && now) banks[seat] -= Math.min(banks[seat], Math.max(0, time - now.since - moveMs))
    if (type === 'pause') asks[seat] = true
    if (['continue', 'resign', 'autopilot', 'remove', 'hand'].includes(type)) asks[seat] = false
    const back = backOf(body)
    if (back) banks[back.seat] = back.bank
    const actor = here?.to_act ?? null
    turn =
      actor === null || !isPlayers(actor)
        ? null
        : {
            seat: actor,
            since: back ? back.since : now?.seat === actor && !decided ? now.since : time,
            bank: banks[actor],
          }
    marks.push(turn)
    const voters = asks.map((_, one) => one).filter(isVoter)
    pauseOrGoOn(body.at, voters.length > 0 && voters.every((one) => asks[one]))
  }

  /** @param {number} at @param {boolean} pauses */
  function pauseOrGoOn(at, pauses) {
    if (pause === null && pauses) pause = at
    else if (pause !== null && !pauses) {
      stopped += at - pause
      pause = null
      asks.fill(false)
    }
  }

  return { judge, follow }
}
