// Tenures: the players of each seat, the signing keys, and whether the reader trusts them.

import { derivedId } from '../base/seating.js'
import { isSignedByBoth } from '../base/statement.js'

/**
 * A change of a key.
 * @typedef {{seq: number, what: 'join' | 'hand' | 'device' | 'rekey' | 'revoke', key: string | null}} KeyEvent
 */
/** @typedef {{seat: number, from: number, player: string, bot: string | null, keys: KeyEvent[], moves: Record<string, number>,
 *   plans: Record<string, number>, proved: 'all' | 'some' | 'none'}} Tenure */
/** @typedef {{keys: string[], sigs: string[]}} Device */
/** @typedef {{tenure: Tenure, statements: Device[], roots: (string | null)[], signers: string[]}} Reader */

/**
 * Returns all tenures of a log with valid signatures, by seat.
 * @param {import('./document.js').ReplayDocument} document
 * @param {import('./chain.js').History} history
 * @param {{players: string[], devices: Device[]}} known
 * @returns {Promise<Tenure[]>}
 */
export async function tenuresOf({ entries }, { genesis }, known) {
  /** @type {Reader[][]} */
  const seats = Array.from({ length: genesis.seats }, () => [])
  for (const [seq, { body, secret }] of entries.entries()) {
    const seat = body.seat === undefined ? undefined : seats[body.seat]
    if (!seat) continue
    if (body.type === 'join') seat.push(begin(seq, body, body.signed))
    else if (body.type === 'hand') seat.push(begin(seq, body, body.taken))
    else if (body.type === 'leave') seat.pop()
    else take(/** @type {Reader} */ (seat.at(-1)), seq, body, secret)
  }
  return Promise.all(seats.flat().map((reader) => finish(reader, known)))
}

/** @param {number} seq @param {any} body @param {any} claim @returns {Reader} */
function begin(seq, body, claim) {
  const key = claim?.key ?? null
  const { seat, player, bot } = body
  return {
    tenure: {
      seat,
      from: seq,
      player,
      bot,
      keys: [{ seq, what: body.type, key }],
      moves: {},
      plans: {},
      proved: 'none',
    },
    statements: [],
    roots: [key],
    signers: [],
  }
}

/** @param {Reader} reader @param {number} seq @param {any} body @param {any} secret */
function take({ tenure, statements, roots, signers }, seq, body, secret) {
  if (body.signed?.devices) {
    statements.push(...body.signed.devices)
    for (const key of chain(body.signed)) tenure.keys.push({ seq, what: 'device', key })
  }
  const count = (/** @type {Record<string, number>} */ counts, /** @type {any} */ signed) => {
    const key = signed?.key ?? 'unsigned'
    counts[key] = (counts[key] ?? 0) + 1
    if (signed) signers.push(signed.key)
  }
  if (body.type === 'cmd' && body.by === 'player') count(tenure.moves, body.signed)
  if (body.type === 'cmd' && body.by === 'plan') {
    statements.push(...(secret.plan.signed?.devices ?? []))
    count(tenure.plans, secret.plan.signed)
  }
  if (body.type === 'rekey') {
    const key = body.signed?.key ?? null
    tenure.keys.push({ seq, what: 'rekey', key })
    roots.push(key)
  }
  if (body.type === 'revoke') for (const key of body.keys) tenure.keys.push({ seq, what: 'revoke', key })
}

/**
 * Returns the keys that a signature with device statements adds, in order.
 * @param {any} signed
 * @returns {string[]}
 */
function chain({ key, devices }) {
  let added = key
  const keys = [...devices].reverse().map(({ keys: [a, b] }) => {
    const one = added
    added = a === one ? b : a
    return one
  })
  return keys.reverse()
}

/** @param {Reader} reader @param {{players: string[], devices: Device[]}} known @returns {Promise<Tenure>} */
async function finish({ tenure, statements, roots, signers }, { players, devices }) {
  const all = [...statements]
  for (const device of devices) if (await isSignedByBoth(tenure.player, device)) all.push(device)
  const trusted = await trustedOf(tenure.player, players, all, [
    ...roots.filter((root) => root !== null),
    ...signers,
  ])
  const isUnsigned = 'unsigned' in tenure.moves || 'unsigned' in tenure.plans
  const isAll =
    roots.every((root) => root !== null && trusted.has(root)) &&
    !isUnsigned &&
    signers.every((key) => trusted.has(key))
  return { ...tenure, proved: isAll ? 'all' : signers.some((key) => trusted.has(key)) ? 'some' : 'none' }
}

/**
 * Returns the trusted keys: those of the reader, those from which the player's id is derived, and all keys
 * linked to them.
 * @param {string} player
 * @param {string[]} players
 * @param {Device[]} statements
 * @param {string[]} keys
 */
async function trustedOf(player, players, statements, keys) {
  const every = new Set([...keys, ...statements.flatMap((device) => device.keys)])
  /** @type {Set<string>} */
  const trusted = new Set()
  for (const key of every) if (players.includes(key) || (await derivedId(key)) === player) trusted.add(key)
  const reached = [...trusted]
  for (let key = reached.pop(); key !== undefined; key = reached.pop()) {
    for (const { keys: pair } of statements) {
      const next = pair[0] === key ? pair[1] : pair[1] === key ? pair[0] : undefined
      if (next !== undefined && !trusted.has(next)) {
        trusted.add(next)
        reached.push(next)
      }
    }
  }
  return trusted
}
