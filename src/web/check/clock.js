// Check 10: times, banks and pauses hold, with who was to act as the rules found it (check 9).

import { MOST_OTHERS, openStanding } from './standing.js'
import { fail, notRun, pass } from './verdict.js'

/** Who was to act, and which seats took part, from an entry on. @typedef {{seq: number, to_act?: number | null, in_game: number[]}} Course */
/** @typedef {{seat: number, since: number, bank: number}} Mark */

/** @param {import('./document.js').ReplayDocument} document @param {import('./chain.js').History} history @param {Course[]} course */
export function checkClock({ format, entries }, { genesis }, course) {
  const { clock } = genesis
  if (!clock) return notRun('clock_missing')
  const standing = openStanding(genesis, format)
  const banks = Array(genesis.seats).fill(clock.bank_seconds * 1000)
  /** @type {boolean[]} */
  const asks = Array(genesis.seats).fill(false)
  let paused = 0
  /** @type {number | null} */
  let pause = null
  /** @type {Mark | null} */
  let turn = null
  /** How the turn stood after each entry. @type {(Mark | null)[]} */
  const marks = []
  /** The seats that played after the entry before. @type {number[]} */
  let playing = []
  const timeAt = (/** @type {number} */ at) => (pause ?? at) - paused
  const last = (/** @type {Mark} */ mark) => mark.since + clock.move_seconds * 1000 + mark.bank

  /** A bot asks for a pause as soon as all others do. @param {any} body */
  function keptFromWaiting({ type, op, seat }) {
    const isBots = (/** @type {number} */ one) => (standing.seats[one]?.bot ?? null) !== null
    if (type === 'end' || (type === 'sys' && (op === 'autopilot' || (op === 'pause' && isBots(seat))))) return undefined
    const people = playing.filter((one) => !isBots(one))
    const wait = people.length > 0 && people.every((one) => asks[one])
    return wait ? playing.find((one) => isBots(one) && !asks[one] && (standing.seats[one]?.others ?? 0) < MOST_OTHERS) : undefined
  }

  /** @param {any} body @param {Mark | null} now @returns {string | null} */
  function judge(body, now) {
    const { type, op, seat } = body
    const bot = keptFromWaiting(body)
    if (bot !== undefined) return `seat ${bot} is a bot's, and must ask for the pause that all others ask for`
    if ((type === 'cmd' || type === 'takeback') && pause !== null) return 'the game is paused here'
    if (type === 'cmd' && now && now.seat === seat) {
      const time = timeAt(body.at)
      const off = Math.abs(last(now) - time)
      const isLate = time >= last(now)
      if (body.by === 'autopilot' && !isLate) return `the autopilot decides ${off} ms before the deadline`
      if (body.by !== 'autopilot' && isLate) return `the seat decides ${off} ms after its time has run out`
    }
    const back = type === 'takeback' ? marks[body.to] ?? null : null
    if (back && timeAt(body.at) >= last(back)) return 'the seat takes back after its time has run out'
    if (type === 'sys' && op === 'pause' && asks[seat]) return `seat ${seat} asks for a pause a second time`
    return type === 'sys' && op === 'continue' && !asks[seat] ? `seat ${seat} did not ask for a pause` : null
  }

  let place = 0
  for (const [seq, { body }] of entries.entries()) {
    const now = /** @type {Mark | null} */ (turn)
    const wrong = judge(body, now)
    if (wrong) return fail(seq, wrong)
    const time = timeAt(body.at)
    if (seq > 0) standing.take(body, seq)
    while ((course[place + 1]?.seq ?? Infinity) <= seq) place += 1
    const here = (course[place]?.seq ?? Infinity) <= seq ? course[place] : undefined
    const isPlaying = (/** @type {number} */ seat) => (here?.in_game.includes(seat) ?? false) && standing.seats[seat]?.control === 'player' && standing.status === 'running'
    const decided = body.type === 'cmd' && now?.seat === body.seat
    if (decided && now) banks[now.seat] -= Math.min(banks[now.seat], Math.max(0, time - now.since - clock.move_seconds * 1000))
    if (body.type === 'sys' && body.op === 'pause') asks[body.seat] = true
    if (body.type === 'hand' || (body.type === 'sys' && (body.op === 'continue' || body.op === 'resume'))) asks[body.seat] = false
    const back = body.type === 'takeback' ? marks[body.to] ?? null : null
    if (back) banks[back.seat] = back.bank
    const actor = here?.to_act ?? null
    turn = actor === null || !isPlaying(actor) ? null : {
      seat: actor, since: back ? back.since : now?.seat === actor && !decided ? now.since : time, bank: banks[actor],
    }
    marks.push(turn)
    playing = asks.map((_, seat) => seat).filter(isPlaying)
    const pauses = playing.length > 0 && playing.every((seat) => asks[seat])
    if (pause === null && pauses) pause = body.at
    else if (pause !== null && !pauses) {
      paused += body.at - pause
      pause = null
      asks.fill(false)
    }
  }
  return pass('clock_holds')
}
