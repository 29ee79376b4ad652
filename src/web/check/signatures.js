// Check 7: every signature that a player owes is there, fits, and there is no other.

import { be64, frame, unhex, utf8 } from '../base/bytes.js'
import { jcs } from './chain.js'
import { verifies } from '../base/points.js'
import { openStanding } from './standing.js'
import { fail, notRun, pass } from './verdict.js'

/** @typedef {import('./document.js').ReplayDocument} ReplayDocument */
/** @typedef {import('./chain.js').History} History */
/** @typedef {import('./standing.js').Sitting} Sitting */
/** @typedef {{seat: number, first: number, part: any, cmds: any[]}} Batch */

/** @param {ReplayDocument} document @param {History} history */
export async function checkSignatures({ format, entries }, { genesis, heads }) {
  const standing = openStanding(genesis, format)
  /** A request of several commands under one signature, as far as it was met. @type {Batch | null} */
  let batch = null
  /** The seat whose command must come next, since it resumed without a signature. @type {number | null} */
  let owedTo = null
  let hadKeys = false
  let count = 0

  /** @param {number} seat @param {any} signed @param {string[]} keys @param {string} what @param {Uint8Array} last @returns {Promise<string | null>} */
  async function verify(seat, signed, keys, what, last) {
    if (!keys.includes(signed.key)) return 'it is signed by a key that the seat does not have here'
    const head = heads[signed.seen]
    if (!head) return 'the signer had seen an entry that is not there'
    const message = frame(`fairlog/2 ${what}`, utf8(genesis.game), be64(seat), be64(signed.seen), head, last)
    const fits = await verifies(unhex(signed.key) ?? new Uint8Array(), unhex(signed.sig) ?? new Uint8Array(), message)
    if (!fits) return 'the signature does not fit what stands here'
    count += 1
    return null
  }

  /** @param {number} seq @param {any} body @param {Sitting} sitting @param {boolean} resumed @param {any} secret @returns {Promise<string | null>} */
  async function command(seq, body, sitting, resumed, secret) {
    const part = body.signed
    const isOwed = sitting.keys.length > 0
    if (!part) return isOwed ? 'the signature of the seat’s player is missing' : null
    if (!isOwed) return 'a signature stands where none belongs: the seat has no keys'
    const open = batch
    batch = null
    /** @type {Batch} */
    let now
    if (open) {
      const follows = open.seat === body.seat && open.cmds.length === part.no && ['key', 'seen', 'of', 'sig'].every((name) => open.part[name] === part[name])
      if (!follows) return 'a signed request is broken off here'
      now = { ...open, cmds: [...open.cmds, body.cmd] }
    } else {
      if (part.no > 0) return 'the commands before it in its request are missing'
      if (part.seen !== seq - 1 - (resumed ? 1 : 0)) return `the signer had seen the entry ${part.seen}, and not all before this one`
      now = { seat: body.seat, first: seq, part, cmds: [body.cmd] }
    }
    if (part.no + 1 < part.of) {
      batch = now
      return secret ? 'a command that draws stands before the last of its request' : null
    }
    return verify(body.seat, part, sitting.keys, 'play', jcs(now.cmds))
  }

  /** @param {number} seq @param {any} body @param {Sitting} sitting @param {any} plan @returns {Promise<string | null>} */
  async function planned(seq, body, sitting, plan) {
    if (body.signed) return 'a command by the plan is signed'
    if (!plan.signed) return sitting.keys.length ? 'the plan is not signed by the seat’s player' : null
    if (!sitting.keys.length) return 'the plan is signed, and the seat has no keys'
    if (plan.signed.seen >= seq || plan.signed.seen < sitting.plansAfter) return 'the plan is older than what has ended the plans of the seat, or than a later plan'
    const wrong = await verify(body.seat, plan.signed, sitting.keys, 'plan', jcs(plan.rules))
    return wrong
  }

  /** An entry that is no command. @param {number} seq @param {any} body @param {Sitting} sitting @returns {Promise<string | null>} */
  async function act(seq, body, sitting) {
    const { keys, must } = demand(body, sitting, standing.isLongLeft(sitting))
    if (!body.signed) {
      if (must && keys.length) return 'the signature of the seat’s player is missing'
      if (keys.length && body.type === 'sys' && body.op === 'resume') owedTo = body.seat
      return null
    }
    if (!keys.length) return 'a signature stands where none belongs'
    if (body.signed.seen !== seq - 1) return `the signer had seen the entry ${body.signed.seen}, and not all before this one`
    return verify(body.seat, body.signed, keys, body.type, message(body))
  }

  for (const [seq, { body, secret }] of entries.entries()) {
    const owed = owedTo
    owedTo = null
    const isPlayers = body.type === 'cmd' && body.by === 'player'
    if (owed !== null && !(isPlayers && body.seat === owed)) return fail(seq, 'the resume before it is signed by nobody, and speaks for no command')
    if (batch && !(body.type === 'cmd' && body.signed)) return fail(seq, 'a signed request is broken off here')
    const sitting = body.seat === undefined ? null : standing.seats[body.seat] ?? null
    /** @type {string | null} */
    let wrong = null
    if (sitting && isPlayers) wrong = await command(seq, body, sitting, owed !== null, secret)
    else if (sitting && body.type === 'cmd' && body.by === 'plan') wrong = await planned(seq, body, sitting, secret.plan)
    else if (sitting && body.type === 'cmd' && body.signed) wrong = 'a command by the autopilot is signed'
    else if (sitting && ['keys', 'hand', 'takeback', 'sys'].includes(body.type)) wrong = await act(seq, body, sitting)
    if (wrong) return fail(seq, wrong)
    hadKeys ||= (body.keys?.length ?? 0) > 0 || Boolean(body.signed)
    if (seq > 0) {
      const before = standing.seats[body.seat]?.plansAfter
      standing.take(body, seq)
      const now = standing.seats[body.seat]
      if (now && body.by === 'plan') now.plansAfter = secret.plan.signed ? secret.plan.signed.seen : before ?? 0
    }
  }
  const open = /** @type {Batch | null} */ (batch)
  if (open) return fail(open.first, 'a signed request is not there to its end')
  if (owedTo !== null) return fail(entries.length - 1, 'a resume without a signature is not followed by a command')
  return hadKeys ? pass('signatures_hold', { n: count }) : notRun('signatures_no_keys')
}

/** By which keys an entry must or may be signed. @param {any} body @param {Sitting} sitting @param {boolean} isLongLeft */
function demand(body, sitting, isLongLeft) {
  const own = sitting.keys
  const op = body.type === 'sys' ? body.op : null
  // Whoever has no keys yet shows that it has the new ones.
  if (body.type === 'keys' && own.length === 0) return { keys: /** @type {string[]} */ (body.keys), must: true }
  if (op === 'autopilot' || op === 'unkey' || (body.type === 'hand' && sitting.control === 'resigned')) return { keys: [], must: false }
  return { keys: own, must: !(op === 'resume' || (body.type === 'hand' && isLongLeft)) }
}

/** The last part of what is signed. @param {any} body */
function message(body) {
  if (body.type === 'keys') return jcs(body.keys)
  if (body.type === 'hand') return jcs({ bot: body.bot, keys: body.keys, player: body.player })
  return body.type === 'takeback' ? be64(body.to) : utf8(body.op)
}
