// The API as this page asks it, which is as anybody does.

import { hex } from './bytes.js'
import { session } from './store.js'
import { language } from './words.js'

/** @typedef {{pointer: string, detail: string, rule?: string}} Mistake */

/** A problem document, or what stands for one when the server cannot be heard. */
export class Problem extends Error {
  /** @param {{status: number, code: string, detail: string, rule?: string, seq?: number, no?: number, errors?: Mistake[]}} told */
  constructor(told) {
    super(told.detail)
    this.status = told.status
    this.code = told.code
    this.rule = told.rule
    this.seq = told.seq
    this.no = told.no
    this.errors = told.errors ?? []
  }
}

/** Whether something was refused because the page did not know the newest entry. @param {any} problem */
export const isBehind = (problem) => problem instanceof Problem && problem.code === 'stale_seq'

/** How the server is heard: what the bar under the header says.
 * @type {{state: 'well' | 'lost' | 'busy', again: number, doubt: null | 'doubted' | 'clock_apart', mute: Set<object>, listeners: Set<() => void>}} */
export const line = {
  state: 'well',
  /** When it is called again, while nothing is heard of it. */
  again: 0,
  /** The doubt about a receipt that it gave. */
  doubt: null,
  /** The listeners to whom no proxy lets a stream through. @type {Set<object>} */
  mute: new Set(),
  listeners: new Set(),
}

/** The token that was found to have ended. It opens nothing, and would keep shut what is open to everybody. @type {string | null} */
let endedToken = null

/** The token that is sent along, if there is one that is good. */
export function goodToken() {
  const token = session.get()?.token ?? null
  return token === endedToken ? null : token
}

/** Whether who plays here is no longer let in. */
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
  const before = line.mute.size
  if (isThere) line.mute.delete(listener)
  else line.mute.add(listener)
  if (line.mute.size > 0 !== before > 0) line.listeners.forEach((one) => one())
}

/** What an answer says of the server; says whether it is the server's, and not of what stands before it and does not hear it either.
 * @param {Response} answer */
export function hearFrom({ status }) {
  const isOfGate = status === 502 || status === 504
  heard(isOfGate ? 'lost' : status === 503 ? 'busy' : 'well')
  return !isOfGate
}

/** Whether an answer judges nothing: the same may be granted in a moment. @param {number} status */
export const isPassing = (status) => status === 0 || status === 429 || status >= 500

/** That nothing was heard. */
function unheard() {
  heard('lost')
  return new Problem({ status: 0, code: 'unheard', detail: '' })
}

let calling = false

/** While the server cannot be heard, or has no time, it is called, so that the bar goes as soon as it can, whoever asks next. */
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

/** The time, as the server has it. */
export const serverNow = () => Date.now() + ahead

/** Learns the server's time from an answer. @param {Response} answer */
export function setClock(answer) {
  const date = Date.parse(answer.headers.get('date') ?? '')
  // It is told to the second, and lies half a second back on average.
  if (Number.isFinite(date) && Math.abs(date + 500 - Date.now() - ahead) > 2000)
    ahead = date + 500 - Date.now()
}

/** @param {string} accept @param {string | null} [token] */
export function headers(accept, token = goodToken()) {
  return { accept, 'accept-language': language(), ...(token ? { authorization: `Bearer ${token}` } : {}) }
}

/** Asks once. @param {string} method @param {string} path @param {any} [body] @param {Record<string, string>} [more]
 * @param {boolean} [asBytes] whether the bytes are wanted and not what they say
 * @param {string | null} [as] the token of another account than the one that plays here @returns {Promise<any>} */
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
    // What is open to everybody is seen without a token.
    if (method === 'GET') return ask(method, path, body, more, asBytes)
  }
  const isJson = (answer.headers.get('content-type') ?? '').includes('json')
  const content = await read(answer, asBytes && answer.ok ? 'bytes' : isJson ? 'json' : 'text')
  if (!answer.ok)
    throw new Problem({
      ...(isJson ? content : { detail: answer.statusText, code: 'internal' }),
      status: answer.status,
    })
  return content
}

/** An answer that is cut off is one that was not heard. @param {Response} answer @param {'bytes' | 'json' | 'text'} as */
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

/** Sends something. If the answer is lost the same is sent again under the same key, so that it is done once.
 * @param {'POST' | 'PUT' | 'PATCH' | 'DELETE'} method @param {string} path @param {any} [body]
 * @param {string} [as] the token of another account @returns {Promise<any>} */
export async function send(method, path, body, as) {
  const key = { 'idempotency-key': hex(crypto.getRandomValues(new Uint8Array(16))) }
  return untilHeard(() => ask(method, path, body, key, false, as))
}

/** Asks again for what was not heard, a few times or as often as it takes.
 * @template T @param {() => Promise<T>} act @param {number} [most] @returns {Promise<T>} */
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

/** What does not change while the page is open, asked for as often as it takes: catalogues, rulesets, rules. @param {string} path @returns {Promise<any>} */
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
