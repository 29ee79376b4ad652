// Check 7: every required signature is present and valid, and there are no others.

import { be64, frame, unhex, utf8 } from '../base/bytes.js'
import { found } from '../base/finding.js'
import { seatingMessage } from '../base/seating.js'
import { verifies } from '../base/points.js'
import { statementMessage } from '../base/statement.js'
import { jcs } from './chain.js'
import { chainOf, MOST_KEYS } from '../base/seat_keys.js'
import { isLongAway, openStanding } from './standing.js'
import { fail, notRun, pass } from './verdict.js'

/** @typedef {import('./standing.js').Sitting} Sitting */
/** @typedef {import('./verdict.js').Finding} Finding */
/**
 * A signature, and its message.
 * @typedef {{seq: number, key: string, sig: string, message: Uint8Array<ArrayBuffer>}} Claimed
 */
/** @typedef {{seat: number, part: any, cmds: any[]}} Batch */

const ACTS = ['takeback', 'pause', 'continue', 'resume', 'resign', 'rekey', 'hand', 'revoke']

/** @param {import('./document.js').ReplayDocument} document @param {import('./chain.js').History} history */
export async function checkSignatures({ entries }, { genesis, heads }) {
  const walk = openWalk(genesis, heads)
  /** @type {[number, Finding] | null} */
  let broken = null
  for (const [seq, { body, secret }] of entries.entries()) {
    const wrong = walk.judge(seq, body, secret)
    if (wrong) {
      broken = [seq, wrong]
      break
    }
    if (seq > 0) walk.follow(body, secret, seq)
  }
  for (const { seq, key, sig, message } of walk.claims) {
    const fits = await verifies(unhex(key) ?? new Uint8Array(), unhex(sig) ?? new Uint8Array(), message)
    if (!fits) return fail(seq, found('signature_invalid'))
  }
  if (broken) return fail(...broken)
  const isSigned = entries.some(({ body, secret }) => body.signed || body.taken || secret?.plan?.signed)
  return isSigned
    ? pass(found('signatures_hold', { count: walk.claims.length }))
    : notRun(found('nothing_signed'))
}

/** @param {any} genesis @param {Uint8Array<ArrayBuffer>[]} heads */
function openWalk(genesis, heads) {
  const standing = openStanding(genesis)
  /** @type {Claimed[]} */
  const claims = []
  /** A signed request of several commands, as far as it was read. @type {Batch | null} */
  let batch = null

  /** @param {number} seq @param {any} body @param {any} secret @returns {Finding | null} */
  function judge(seq, body, secret) {
    if (batch && !(body.type === 'cmd' && body.signed)) return found('request_incomplete')
    const claim = body.type === 'join' ? body.signed : body.taken
    if (claim)
      claims.push({
        seq,
        key: claim.key,
        sig: claim.sig,
        message: seatingMessage(genesis.game, body.seat, body, claim.nonce, genesis),
      })
    const sitting = body.seat === undefined ? null : (standing.seats[body.seat] ?? null)
    if (!sitting) return null
    if (body.type === 'cmd' && body.by === 'player') return command(seq, body, sitting)
    if (body.type === 'cmd' && body.by === 'plan') return planned(seq, body, sitting, secret.plan)
    return ACTS.includes(body.type) ? act(seq, body, sitting) : null
  }

  /** @param {number} seq @param {any} body @param {Sitting} sitting @returns {Finding | null} */
  function command(seq, body, sitting) {
    const part = body.signed
    const isOwed = sitting.keys.inForce.length > 0
    if (!part) return isOwed ? found('signature_missing') : null
    if (!isOwed) return found('signature_unwanted')
    const open = batch
    batch = null
    /** @type {Batch} */
    let now
    if (open) {
      const follows =
        open.seat === body.seat &&
        open.cmds.length === part.no &&
        ['key', 'seen', 'of', 'sig'].every((name) => open.part[name] === part[name])
      if (!follows) return found('request_incomplete')
      now = { ...open, cmds: [...open.cmds, body.cmd] }
    } else {
      if (part.no > 0) return found('request_without_beginning')
      if (part.seen !== seq - 1) return found('seen_gap', { seen: part.seen })
      const wrong = chain(seq, part, sitting, true)
      if (wrong) return wrong
      now = { seat: body.seat, part, cmds: [body.cmd] }
    }
    if (part.no + 1 < part.of) {
      batch = now
      return null
    }
    return under(seq, body.seat, part, { cmds: now.cmds, type: 'cmd' })
  }

  /** @param {number} seq @param {any} body @param {Sitting} sitting @param {any} plan @returns {Finding | null} */
  function planned(seq, body, sitting, plan) {
    const isOwed = sitting.keys.inForce.length > 0
    if (!plan.signed) return isOwed ? found('plan_not_signed') : null
    if (!isOwed) return found('signature_unwanted')
    if (plan.signed.seen >= seq || plan.signed.seen < sitting.plansAfter) return found('plan_too_old')
    return (
      chain(seq, plan.signed, sitting, false) ??
      under(seq, body.seat, plan.signed, { rules: plan.rules, type: 'plan' })
    )
  }

  /**
   * Checks an entry other than a command.
   * @param {number} seq
   * @param {any} body
   * @param {Sitting} sitting
   * @returns {Finding | null}
   */
  function act(seq, body, sitting) {
    const isOwed = sitting.keys.inForce.length > 0
    if (body.type === 'revoke' && !isOwed) return found('revoke_without_keys')
    const demand = demandOf(body, sitting, isOwed)
    if (!body.signed) return demand === 'must' ? found('signature_missing') : null
    if (demand === 'nothing') return found('signature_unwanted')
    if (body.signed.seen !== seq - 1) return found('seen_gap', { seen: body.signed.seen })
    return (
      (demand === 'new key' ? null : chain(seq, body.signed, sitting, true)) ??
      under(seq, body.seat, body.signed, messageOf(body))
    )
  }

  /**
   * Checks that the signer is a key in force, or linked to one by the player's statements.
   * @param {number} seq
   * @param {any} signed
   * @param {Sitting} sitting
   * @param {boolean} adds
   */
  function chain(seq, signed, sitting, adds) {
    const linked = chainOf(sitting.keys, signed)
    if ('wrong' in linked) return linked.wrong
    if (adds && sitting.keys.inForce.length + linked.added.length > MOST_KEYS) return found('too_many_keys')
    for (const { keys, sigs } of signed.devices ?? []) {
      const message = statementMessage(sitting.player, keys)
      keys.forEach((/** @type {string} */ key, /** @type {number} */ no) =>
        claims.push({ seq, key, sig: sigs[no], message }),
      )
    }
    return null
  }

  /** @param {number} seq @param {number} seat @param {any} signed @param {any} what @returns {Finding | null} */
  function under(seq, seat, signed, what) {
    const head = heads[signed.seen]
    if (!head) return found('seen_missing')
    const message = frame('fairlog/3 act', utf8(genesis.game), be64(seat), be64(signed.seen), head, jcs(what))
    claims.push({ seq, key: signed.key, sig: signed.sig, message })
    return null
  }

  /** @param {any} body @param {any} secret @param {number} seq */
  function follow(body, secret, seq) {
    standing.take(body, seq, Infinity)
    const now = standing.seats[body.seat]
    if (now && body.by === 'plan' && secret.plan.signed)
      now.plansAfter = Math.max(now.plansAfter, secret.plan.signed.seen)
  }

  return { judge, follow, claims }
}

/**
 * Returns whether an entry must, may or must not be signed.
 * @param {any} body
 * @param {Sitting} sitting
 * @param {boolean} isOwed
 */
function demandOf(body, sitting, isOwed) {
  if (body.type === 'rekey') return 'new key'
  if ((body.type === 'hand' && sitting.control === 'resigned') || !isOwed) return 'nothing'
  return body.type === 'hand' && isLongAway(sitting) ? 'may' : 'must'
}

/** Returns the message of an entry other than a command. @param {any} body */
function messageOf({ type, to, keys, player, bot, taken }) {
  if (type === 'takeback') return { to, type }
  if (type === 'revoke') return { keys, type }
  return type === 'hand' ? { bot, player, taken, type } : { type }
}
