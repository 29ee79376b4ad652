// Requests to the API, which the page uses like any client.

import { hex } from './bytes.js'
import { session } from './store.js'
import { language } from './words.js'

/** @typedef {{pointer: string, detail: string, rule?: string}} Mistake */

/** A problem document, or its substitute when the server is not reachable. */
export class Problem extends Error {
  /** @param {{status: number, code: string, detail: string, rule?: string, seq?: number, index?: number, errors?: Mistake[]}} told */
  constructor(told) {
    super(told.detail)
    this.status = told.status
    this.code = told.code
    this.rule = told.rule
    this.seq = told.seq
    this.index = told.index
    this.errors = told.errors ?? []
  }
}

/**
 * Returns whether a request was refused because the page did not know the newest entry.
 * @param {any} problem
 */
export const isBehind = (problem) => problem instanceof Problem && problem.code === 'stale_seq'

/**
 * State of the connection, for the bar under the header.
 * @type {{state: 'well' | 'lost' | 'busy', again: number, suspended: string, doubt: null | 'doubted' | 'clock_apart', blocked: Set<object>, listeners: Set<() => void>}}
 */
export const line = {
  state: 'well',
  /** Time of the next attempt while the server is not reachable. */
  again: 0,
  /** Text of the operator for a suspended player. */
  suspended: '',
  /** A receipt that does not match. */
  doubt: null,
  /** Streams that a proxy blocks. @type {Set<object>} */
  blocked: new Set(),
  listeners: new Set(),
}

/** The expired token. Sent along, it would make even public games fail. @type {string | null} */
let endedToken = null

/** Returns the token, unless it has expired. */
export function goodToken() {
  const token = session.get()?.token ?? null
  return token === endedToken ? null : token
}

/** Returns whether the player's token has expired. */
export const isShutOut = () => session.get() !== null && goodToken() === null

/** The server does not know a token any more. @param {string} token */
export function noteEnd(token) {
  endedToken = token
  line.listeners.forEach((listener) => listener())
}

/** @param {'well' | 'lost' | 'busy'} state */
export function heard(state) {
  if (line.state === state) return
  line.state = state
  line.listeners.forEach((listener) => listener())
  if (state !== 'well') void callOut()
}

/** Notes whether a listener has its stream. @param {object} listener @param {boolean} isThere */
export function noteStream(listener, isThere) {
  const before = line.blocked.size
  if (isThere) line.blocked.delete(listener)
  else line.blocked.add(listener)
  if (line.blocked.size > 0 !== before > 0) line.listeners.forEach((one) => one())
}

/**
 * Updates the state from an answer. Returns whether the server itself answered, not a proxy in front of it.
 * @param {Response} answer
 */
export function hearFrom({ status }) {
  const isOfGate = status === 502 || status === 504
  heard(isOfGate ? 'lost' : status === 503 ? 'busy' : 'well')
  return !isOfGate
}

/** Returns whether a refusal is temporary. @param {number} status */
export const isPassing = (status) => status === 0 || status === 429 || status >= 500

/** Notes that the server is not reachable. */
function unheard() {
  heard('lost')
  return new Problem({ status: 0, code: 'unheard', detail: '' })
}

let calling = false

/** Calls the server while it is not reachable or busy, so the bar disappears soon. */
async function callOut() {
  if (calling) return
  calling = true
  const counting = setInterval(() => line.listeners.forEach((listener) => listener()), 1000)
  for (let wait = 1000; line.state !== 'well'; wait = Math.min(2 * wait, 8000)) {
    line.again = Date.now() + wait
    const over = new AbortController()
    await Promise.race([
      pause(wait),
      new Promise((done) => addEventListener('online', done, { signal: over.signal })),
    ])
    over.abort()
    const answer = await fetch('/health/ready', { signal: AbortSignal.timeout(PATIENCE) }).catch(() => null)
    if (answer) hearFrom(answer)
  }
  clearInterval(counting)
  calling = false
}

/** For how long an answer is waited for. */
const PATIENCE = 20_000

/** The server's clock less ours, in milliseconds. */
let ahead = 0

/** Returns the time of the server. */
export const serverNow = () => Date.now() + ahead

/** Learns the server's time from an answer. @param {Response} answer */
export function setClock(answer) {
  const date = Date.parse(answer.headers.get('date') ?? '')
  // The `Date` header has full seconds, so it is half a second behind on average.
  if (Number.isFinite(date) && Math.abs(date + 500 - Date.now() - ahead) > 2000)
    ahead = date + 500 - Date.now()
}

/** @param {string} accept @param {string | null} [token] */
export function headers(accept, token = goodToken()) {
  return { accept, 'accept-language': language(), ...(token ? { authorization: `Bearer ${token}` } : {}) }
}

/**
 * Sends a request once.
 * @param {string} method
 * @param {string} path
 * @param {any} [body]
 * @param {Record<string, string>} [more]
 * @param {boolean} [asBytes] whether the bytes are wanted and not what they say
 * @param {string | null} [as] the token of another account than the one that plays here
 * @returns {Promise<any>}
 */
async function ask(method, path, body, more, asBytes = false, as) {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const token = as ?? goodToken()
  let answer
  try {
    answer = await fetch(path, {
      method,
      headers: { ...headers('application/json, text/markdown', token), ...type, ...more },
      signal: AbortSignal.timeout(PATIENCE),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  } catch {
    throw unheard()
  }
  if (!hearFrom(answer)) throw unheard()
  setClock(answer)
  if (answer.status === 401 && token && !as) {
    noteEnd(token)
    // Public games are read without a token.
    if (method === 'GET') return ask(method, path, body, more, asBytes)
  }
  const isJson = (answer.headers.get('content-type') ?? '').includes('json')
  const content = await read(answer, asBytes && answer.ok ? 'bytes' : isJson ? 'json' : 'text')
  noteSuspension(answer.ok ? undefined : content)
  if (!answer.ok)
    throw new Problem({
      ...(isJson ? content : { detail: answer.statusText, code: 'internal' }),
      status: answer.status,
    })
  return content
}

/** @param {any} content of a refusal */
function noteSuspension(content) {
  if (content?.code !== 'suspended' || line.suspended === content.detail) return
  line.suspended = content.detail
  line.listeners.forEach((listener) => listener())
}

/**
 * Reads an answer. An interrupted answer counts as none.
 * @param {Response} answer
 * @param {'bytes' | 'json' | 'text'} as
 */
async function read(answer, as) {
  try {
    if (answer.status === 204) return null
    if (as === 'bytes') return new Uint8Array(await answer.arrayBuffer())
    return as === 'json' ? await answer.json() : await answer.text()
  } catch {
    throw unheard()
  }
}

/** @param {string} path @param {string} [as] the token of another account @returns {Promise<any>} */
export const get = (path, as) => ask('GET', path, undefined, undefined, false, as)

/** An answer to the byte. @param {string} path @returns {Promise<Uint8Array<ArrayBuffer>>} */
export const getBytes = (path) => ask('GET', path, undefined, {}, true)

/**
 * Sends a request. After a lost answer it is repeated with the same key, so it takes effect once.
 * @param {'POST' | 'PUT' | 'PATCH' | 'DELETE'} method
 * @param {string} path
 * @param {any} [body]
 * @param {string} [as] the token of another account
 * @returns {Promise<any>}
 */
export async function send(method, path, body, as) {
  const key = { 'idempotency-key': hex(crypto.getRandomValues(new Uint8Array(16))) }
  return untilHeard(() => ask(method, path, body, key, false, as))
}

/**
 * Repeats a request that was not answered: `most` times, or without limit.
 * @template T
 * @param {() => Promise<T>} act
 * @param {number} [most]
 * @returns {Promise<T>}
 */
export async function untilHeard(act, most = 5) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await act()
    } catch (problem) {
      const again = problem instanceof Problem && (problem.status === 0 || problem.status === 503)
      if (!again || tries >= most) throw problem
      await pause(Math.min(500 * 2 ** tries, 8000))
    }
  }
}

/** @param {number} ms */
export const pause = (ms) => new Promise((done) => setTimeout(done, ms))

/** @type {Map<string, Promise<any>>} */
const kept = new Map()

/**
 * Returns data that is constant while the page is open (catalogues, rulesets, rules), loaded once.
 * @param {string} path
 * @returns {Promise<any>}
 */
export function keep(path) {
  const name = `${language()} ${path}`
  const known = kept.get(name)
  if (known) return known
  const asked = untilHeard(() => get(path), Infinity)
  kept.set(name, asked)
  asked.catch(() => kept.delete(name))
  return asked
}

/** All pages of a list. @param {string} path @param {number} [most] @returns {Promise<any[]>} */
export async function all(path, most = 400) {
  const items = []
  for (let cursor = ''; ;) {
    const page = await get(`${path}${path.includes('?') ? '&' : '?'}limit=100${cursor}`)
    items.push(...page.items)
    if (!page.next_cursor || items.length >= most) return items
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
}
