// What an entry of each type holds: these fields, and no other.

import { unhex } from '../base/bytes.js'
import { isPoint } from '../base/points.js'

/** What is not as the format has it. */
export class Wrong extends Error {}

/** @typedef {import('./document.js').Format} Format */

/** An object with just these fields. @param {any} value @param {string[]} names @param {string} at @returns {any} */
export function exactly(value, names, at) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new Wrong(`${at} is no object`)
  for (const name of names) if (!Object.hasOwn(value, name)) throw new Wrong(`${at}.${name} is missing`)
  for (const name of Object.keys(value)) if (!names.includes(name)) throw new Wrong(`${at}.${name} is not a field here`)
  return value
}

/** @typedef {(value: any, at: string) => void} Kind */

/** @param {boolean} is @param {string} what */
const must = (is, what) => {
  if (!is) throw new Wrong(what)
}

/** @type {Kind} */
export const whole = (value, at) => must(Number.isSafeInteger(value) && value >= 0, `${at} is no whole number`)
/** @type {Kind} */
const text = (value, at) => must(typeof value === 'string', `${at} is no text`)
/** @type {Kind} */
const flag = (value, at) => must(typeof value === 'boolean', `${at} is neither true nor false`)
/** @type {Kind} */
const hex32 = (value, at) => must(typeof value === 'string' && unhex(value, 32) !== null, `${at} is not 32 bytes in hex`)
/** @type {Kind} */
const any = () => undefined
/** @param {Kind} kind @returns {Kind} */
const orNull = (kind) => (value, at) => (value === null ? undefined : kind(value, at))
/** @param {string[]} words @returns {Kind} */
const word = (...words) => (value, at) => must(words.includes(value), `${at} is not one of the words that stand here`)
/** @param {number} least @param {number} most @returns {Kind} */
const within = (least, most) => (value, at) => must(Number.isSafeInteger(value) && value >= least && value <= most, `${at} must be from ${least} to ${most}`)
/** @param {Record<string, Kind>} fields @returns {Kind} */
const object = (fields) => (value, at) => {
  exactly(value, Object.keys(fields), at)
  for (const [name, kind] of Object.entries(fields)) kind(value[name], `${at}.${name}`)
}

/** Keys that were met, and whether they are canonical points, none weak. That takes time, and is looked at apart.
 * @type {Map<string, boolean | null>} */
const points = new Map()

/** @type {Kind} */
function seatKey(value, at) {
  hex32(value, at)
  if (!points.has(value)) points.set(value, null)
}

/** Looks at the keys that were met, each once, and gives way to others meanwhile. */
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

/** The keys that an entry names. @param {any} body @param {any} secret @returns {string[]} */
const keysIn = (body, secret) => [...(body.keys ?? []), body.signed?.key, secret?.plan?.signed?.key].filter((key) => typeof key === 'string')

/** Whether no key that an entry names is weak, or no point at all. @param {any} body @param {any} secret */
export const hasSoundKeys = (body, secret) => keysIn(body, secret).every((key) => points.get(key))

/** @param {number} least @returns {Kind} */
const keys = (least) => (value, at) => {
  must(Array.isArray(value) && value.length >= least && value.length <= 8, `${at} must hold from ${least} to 8 keys`)
  value.forEach((/** @type {any} */ key, /** @type {number} */ no) => seatKey(key, `${at}[${no}]`))
  value.forEach((/** @type {string} */ key, /** @type {number} */ no) => must(no === 0 || value[no - 1] < key, `${at} is not in ascending order`))
}

/** @type {Kind} */
const sig = (value, at) => must(typeof value === 'string' && unhex(value, 64) !== null, `${at} is not 64 bytes in hex`)
const signed = orNull(object({ key: seatKey, seen: whole, sig }))
/** @type {Kind} */
const signedPart = orNull((value, at) => {
  object({ key: seatKey, seen: whole, no: whole, of: within(1, 32), sig })(value, at)
  must(value.no < value.of, `${at}.no is not below \`of\``)
})
/** @type {Kind} */
const bot = (value, at) => must(value === null || (typeof value === 'string' && /^[a-z0-9_]+$/.test(value)), `${at} is no level`)

const rules = object({ name: text, version: whole })
const GENESIS = { format: text, game: text, rules, options: any, seats: within(1, 1000), commit: hex32 }

/** @type {Record<string, Record<string, Kind>>} */
const BOTH = { leave: { seat: whole }, seal: {}, reveal: { seat: whole, entropy: hex32 }, start: {} }

/** @type {Record<Format, Record<string, Record<string, Kind>>>} */
const TYPES = {
  'fairlog/1': {
    ...BOTH,
    genesis: GENESIS,
    join: { seat: whole, player: text, commit: orNull(hex32), key: (value, at) => must(value === null, `${at} must be null`) },
    cmd: { seat: whole, by: word('player', 'autopilot'), cmd: any },
    sys: { op: word('resign', 'autopilot', 'resume'), seat: whole },
    end: { reason: word('finished', 'void'), result: any },
  },
  'fairlog/2': {
    ...BOTH,
    genesis: {
      ...GENESIS, clock: orNull(object({ move_seconds: within(1, 2_592_000), bank_seconds: within(0, 2_592_000) })), takebacks: flag, substitutes: flag,
      previous: orNull(object({ game: text, head: hex32 })),
    },
    join: { seat: whole, player: text, keys: keys(0), bot, commit: orNull(hex32) },
    cmd: { seat: whole, by: word('player', 'autopilot', 'plan'), cmd: any, signed: signedPart },
    keys: { seat: whole, keys: keys(1), signed },
    hand: { seat: whole, player: text, keys: keys(0), bot, signed },
    takeback: { seat: whole, to: whole, signed },
    sys: { op: word('resign', 'autopilot', 'resume', 'unkey', 'pause', 'continue'), seat: whole, signed },
    end: { reason: word('finished', 'resigned', 'abandoned', 'void'), result: any },
  },
}

/** @param {Format} format @param {any} body @param {any} secret @param {string} at */
export function readEntry(format, body, secret, at) {
  const fields = body === null || typeof body !== 'object' ? undefined : Object.hasOwn(TYPES[format], body.type) ? TYPES[format][body.type] : undefined
  if (!fields) throw new Wrong(`${at}.body.type is not a type of entry`)
  object({ seq: whole, at: whole, type: text, ...fields })(body, `${at}.body`)
  if (body.type === 'genesis') must(body.format === format, `${at}.body.format is not ${format}`)
  if (body.bot) must(body.keys.length === 0, `${at}.body.keys must be empty for a bot`)
  const planned = format === 'fairlog/2' && body.type === 'cmd' && body.by === 'plan'
  if (secret === undefined) {
    must(!planned, `${at}.body.by is \`plan\`, and no plan stands beside it`)
    return
  }
  must(body.type === 'start' || body.type === 'cmd', `${at}.secret is not a field here`)
  must(secret !== null && typeof secret === 'object' && !Array.isArray(secret), `${at}.secret is no object`)
  const names = Object.keys(secret)
  exactly(secret, planned ? (names.includes('draws') ? ['draws', 'plan'] : ['plan']) : ['draws'], `${at}.secret`)
  if (planned) plan(secret.plan, `${at}.secret.plan`)
  if (!Object.hasOwn(secret, 'draws')) return
  must(Array.isArray(secret.draws) && secret.draws.length > 0, `${at}.secret.draws holds nothing`)
  secret.draws.forEach((/** @type {any} */ one, /** @type {number} */ no) => draw(one, `${at}.secret.draws[${no}]`))
}

/** @type {Kind} */
const words32 = (value, at) => must(Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && item >= 0 && item < 2 ** 32), `${at} must hold whole numbers below 2^32`)

/** @type {Kind} */
function draw(value, at) {
  const isShuffle = Object.hasOwn(value ?? {}, 'shuffle')
  object({ use: text, n: whole, out: words32, ...(isShuffle ? { shuffle: within(0, 2 ** 32 - 1) } : { roll: words32 }) })(value, at)
  if (!isShuffle) must(!value.roll.includes(0), `${at}.roll holds a bound of 0`)
}

/** @type {Kind} */
function plan(value, at) {
  object({ rules: any, signed })(value, at)
  must(Array.isArray(value.rules) && value.rules.length >= 1 && value.rules.length <= 32, `${at}.rules must hold from 1 to 32 rules`)
  value.rules.forEach((/** @type {any} */ rule, /** @type {number} */ no) =>
    object({ phase: text, command: any, ...(Object.hasOwn(rule ?? {}, 'up_to') ? { up_to: whole } : {}) })(rule, `${at}.rules[${no}]`))
}
