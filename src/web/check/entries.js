// The entries of a log: the members of each type, each within its range, and no other.

import { unhex } from '../base/bytes.js'
import { isPoint } from '../base/points.js'
import { found } from '../base/finding.js'

/** A violation of the format. */
export class Wrong extends Error {
  /** @param {import('./verdict.js').Finding} finding @param {number | null} [seq] */
  constructor(finding, seq = null) {
    super(finding.code)
    this.finding = finding
    this.seq = seq
  }
}

/**
 * Returns an object with exactly these members, and optional ones.
 * @param {any} value
 * @param {string[]} names
 * @param {string} at
 * @param {string[]} [perhaps]
 * @returns {any}
 */
export function exactly(value, names, at, perhaps = []) {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Wrong(found('member_wrong', { place: at }))
  for (const name of names)
    if (!Object.hasOwn(value, name)) throw new Wrong(found('member_missing', { place: `${at}.${name}` }))
  for (const name of Object.keys(value))
    if (!names.includes(name) && !perhaps.includes(name))
      throw new Wrong(found('member_unknown', { place: `${at}.${name}` }))
  return value
}

/** @typedef {(value: any, at: string) => void} Kind */

/** @param {boolean} is @param {string} at */
const must = (is, at) => {
  if (!is) throw new Wrong(found('member_wrong', { place: at }))
}

/** @param {(value: any) => boolean} is @returns {Kind} */
const that = (is) => (value, at) => must(is(value), at)
/** @param {RegExp} pattern @returns {Kind} */
const like = (pattern) => that((value) => typeof value === 'string' && pattern.test(value))
/** @param {number} least @param {number} most @returns {Kind} */
const within = (least, most) =>
  that((value) => Number.isSafeInteger(value) && value >= least && value <= most)
/** @param {string[]} words @returns {Kind} */
const word = (...words) => that((value) => words.includes(value))
/** @param {Kind} kind @returns {Kind} */
const orNull = (kind) => (value, at) => (value === null ? undefined : kind(value, at))
/** @param {Record<string, Kind>} members @param {Record<string, Kind>} [perhaps] @returns {Kind} */
const object =
  (members, perhaps = {}) =>
  (value, at) => {
    exactly(value, Object.keys(members), at, Object.keys(perhaps))
    for (const [name, kind] of Object.entries({ ...members, ...perhaps }))
      if (Object.hasOwn(value, name)) kind(value[name], `${at}.${name}`)
  }
/** @param {number} least @param {number} most @param {Kind} kind @returns {Kind} */
const list = (least, most, kind) => (value, at) => {
  must(Array.isArray(value) && value.length >= least && value.length <= most, at)
  value.forEach((/** @type {any} */ one, /** @type {number} */ no) => kind(one, `${at}[${no}]`))
}
/** @param {(value: any) => Kind} choose @returns {Kind} */
const by = (choose) => (value, at) => choose(value)(value, at)

const any = that(() => true)
const nothing = that((value) => value === null)
const whole = within(0, Number.MAX_SAFE_INTEGER)
const text = that((value) => typeof value === 'string')
const flag = that((value) => typeof value === 'boolean')
const anyObject = that((value) => value !== null && typeof value === 'object' && !Array.isArray(value))
const id = like(/^[A-Za-z0-9_-]{1,64}$/)
const hex32 = that((value) => unhex(value, 32) !== null)
const sig = that((value) => unhex(value, 64) !== null)
const level = like(/^[a-z0-9_]{1,32}$/)

/**
 * Keys of the document, and whether they are valid points. They are checked separately, because it takes
 * time.
 * @type {Map<string, boolean | null>}
 */
const points = new Map()

/** @type {Kind} */
function seatKey(value, at) {
  hex32(value, at)
  if (!points.has(value)) points.set(value, null)
}

/** Checks each key once, in pieces, so the page stays responsive. */
export async function lookAtKeys() {
  let looked = 0
  for (const [key, known] of points) {
    if (known === null) {
      points.set(key, isPoint(unhex(key, 32) ?? new Uint8Array()))
      looked += 1
      if (looked % 32 === 0) await new Promise((done) => setTimeout(done))
    }
  }
}

/** The keys of a signature. @param {any} signed @returns {any[]} */
const keysOf = (signed) =>
  signed ? [signed.key, ...(signed.devices ?? []).flatMap((/** @type {any} */ { keys }) => keys)] : []

/** Returns whether every key of an entry is valid. @param {any} body @param {any} secret */
export const hasSoundKeys = (body, secret) =>
  [
    ...(body.keys ?? []),
    ...keysOf(body.signed),
    ...keysOf(body.taken),
    ...keysOf(secret?.plan?.signed),
  ].every((key) => points.get(key))

/** @param {any[]} values */
const isAscending = (values) => values.every((value, no) => no === 0 || values[no - 1] < value)

/** @type {Kind} */
const pair = (value, at) => {
  list(2, 2, seatKey)(value, at)
  must(isAscending(value), at)
}
const device = object({ keys: pair, sigs: list(2, 2, sig) })
const devices = list(1, 7, device)
const signed = orNull(object({ key: seatKey, seen: whole, sig }, { devices }))
const claim = orNull(object({ key: seatKey, nonce: hex32, sig }))
/** @type {Kind} */
const part = orNull((value, at) => {
  object({ key: seatKey, seen: whole, no: whole, of: within(1, 32), sig }, { devices })(value, at)
  must(value.no < value.of, `${at}.no`)
  must(value.no === 0 || !Object.hasOwn(value, 'devices'), `${at}.devices`)
})
/** @type {Kind} */
const revoked = (value, at) => {
  list(1, 8, seatKey)(value, at)
  must(isAscending(value), at)
}
const publicText = that(
  (value) =>
    typeof value === 'string' &&
    new TextEncoder().encode(value).length >= 1 &&
    new TextEncoder().encode(value).length <= 1000 &&
    !/[\u0000-\u001f\u007f]/.test(value),
)

const TERMS = {
  rules: object({ name: like(/^[a-z0-9_-]{1,64}$/), version: within(1, Number.MAX_SAFE_INTEGER) }),
  options: anyObject,
  seats: within(1, 100),
  takebacks: flag,
  substitutes: flag,
  rated: flag,
  clock: orNull(object({ move_seconds: within(1, 2_592_000), bank_seconds: within(0, 2_592_000) })),
  event: orNull(object({ tournament: id, no: whole, head: hex32 })),
  previous: orNull(object({ game: id, head: hex32 })),
}
const ACT = { seat: whole, signed }

/** @type {Record<string, Record<string, Kind>>} */
const TYPES = {
  genesis: { ...TERMS, format: word('fairlog/3'), game: id, commit: hex32 },
  join: { seat: whole, player: id, bot: orNull(level), commit: orNull(hex32), signed: claim },
  leave: { seat: whole },
  reveal: { seat: whole, entropy: hex32 },
  start: {},
  cmd: { seat: whole, by: word('player', 'plan', 'autopilot'), cmd: any, signed: part },
  takeback: { seat: whole, to: whole, signed },
  pause: ACT,
  continue: ACT,
  resume: ACT,
  resign: ACT,
  rekey: { seat: whole, signed: orNull(object({ key: seatKey, seen: whole, sig })) },
  hand: { seat: whole, player: id, bot: orNull(level), taken: claim, signed },
  revoke: { seat: whole, keys: revoked, signed },
  autopilot: { seat: whole },
  remove: { seat: whole, text: orNull(publicText) },
  outage: { ms: within(1, Number.MAX_SAFE_INTEGER) },
  end: {
    reason: word('finished', 'resigned', 'abandoned', 'void', 'halted'),
    result: any,
    text: orNull(publicText),
  },
}

/** Checks the members of an entry against each other. @param {any} body @param {string} at */
function agree(body, at) {
  if (body.bot) {
    if (body.type === 'join') {
      nothing(body.commit, `${at}.commit`)
      nothing(body.signed, `${at}.signed`)
    } else nothing(body.taken, `${at}.taken`)
  }
  if (body.type === 'cmd' && body.by !== 'player') nothing(body.signed, `${at}.signed`)
  if (body.type === 'end') {
    const hasResult = body.reason === 'finished' || body.reason === 'resigned'
    must(hasResult ? Array.isArray(body.result) : body.result === null, `${at}.result`)
    must((body.reason === 'halted') === (body.text !== null), `${at}.text`)
  }
}

/** @param {any} body @param {any} secret @param {string} at */
export function readEntry(body, secret, at) {
  anyObject(body, `${at}.body`)
  const members = Object.hasOwn(TYPES, body.type) ? TYPES[body.type] : undefined
  if (!members) throw new Wrong(found('member_wrong', { place: `${at}.body.type` }))
  object({ seq: whole, at: within(0, 2 ** 48 - 1), type: text, ...members })(body, `${at}.body`)
  agree(body, `${at}.body`)
  readSecret(body, secret, `${at}.secret`)
}

/** @param {any} body @param {any} secret @param {string} at */
function readSecret(body, secret, at) {
  const isPlanned = body.type === 'cmd' && body.by === 'plan'
  if (secret === undefined) {
    must(!isPlanned, at)
    return
  }
  must(body.type === 'start' || body.type === 'cmd', at)
  object({ ...(isPlanned ? { plan } : {}) }, { draws: list(1, Infinity, draw) })(secret, at)
  const hasDraws = Object.hasOwn(secret, 'draws')
  must(isPlanned || hasDraws, at)
  must(!hasDraws || !body.signed || body.signed.no + 1 === body.signed.of, at)
}

const words32 = list(0, Infinity, within(0, 2 ** 32 - 1))
const bounds = list(0, Infinity, within(1, 2 ** 32 - 1))

/** @type {Kind} */
const draw = by((value) =>
  object({
    use: text,
    n: whole,
    out: words32,
    ...(Object.hasOwn(value ?? {}, 'shuffle') ? { shuffle: within(0, 2 ** 32 - 1) } : { roll: bounds }),
  }),
)
/** @type {Kind} */
const plan = object({
  rules: list(1, 32, object({ phase: text, command: anyObject }, { up_to: whole })),
  signed,
})
