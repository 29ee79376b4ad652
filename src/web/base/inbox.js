// What waits for the player who is here, wherever on the page that is: told by one stream, and counted in the title.

import { all, get } from './api.js'
import { session } from './store.js'
import { reveal } from './sign.js'
import { listen } from './stream.js'

/** @typedef {import('../types.d.ts').Game} Game */

export const inbox = {
  /** The games that wait for me, the longest first. @type {Game[]} */
  waiting: [],
  /** Games in which somebody said something since I looked. @type {Set<string>} */
  spoken: new Set(),
  /** @type {Set<(what: string, data: any) => void>} */
  listeners: new Set(),
}

/** @type {(() => void) | null} */
let stop = null
let asking = false
let again = false

/** Listens for the player who is here now; for nobody if nobody is. */
export function openInbox() {
  stop?.()
  stop = null
  inbox.waiting = []
  if (!session.get()) return
  void look()
  stop = lead()
}

/** Of all tabs of this browser one listens, and tells the others: a browser has few connections for each server. */
function lead() {
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('playledger') : null
  channel?.addEventListener('message', ({ data }) => tell(data))
  const over = new AbortController()
  /** @type {(() => void) | null} */
  let silence = null
  const listenForAll = () => {
    silence = listen('/v1/me/events', null, (told) => {
      channel?.postMessage(told)
      tell(told)
    })
  }
  if (channel && navigator.locks) {
    const untilOver = () => new Promise((done) => over.signal.addEventListener('abort', done))
    navigator.locks.request('playledger', { signal: over.signal }, () => {
      // Whoever listened before may have missed the last.
      void look()
      listenForAll()
      return untilOver()
    }).catch(() => null)
  } else listenForAll()
  return () => {
    over.abort()
    silence?.()
    channel?.close()
  }
}

/** @param {{type: string, data: any}} told */
function tell({ type, data }) {
  if (type === 'message') inbox.spoken.add(data.game)
  if (type !== 'message' && type !== 'game') void look()
  inbox.listeners.forEach((listener) => listener(type, data))
}

/** Asks what waits. However many ask at once, it is asked once more after the last. */
export async function look() {
  again = asking
  if (asking) return
  asking = true
  try {
    inbox.waiting = await all('/v1/me/games?turn=mine', 100)
    for (const game of inbox.waiting.filter(({ status }) => status === 'sealed')) await reveal(game).catch(() => null)
  } catch {
    // The bar under the header says it, and the next event asks again.
  }
  asking = false
  inbox.listeners.forEach((listener) => listener('waiting', null))
  if (again) void look()
}

/** The games in which I must decide, the longest waiting first, but for one. @param {string} [but] */
export const myTurns = (but) => inbox.waiting.filter(({ id, status }) => id !== but && status === 'running')

/** Reads who plays here once more, for instance after a name was changed. */
export async function whoAmI() {
  const known = session.get()
  if (known) session.set({ ...known, player: await get('/v1/me') })
}
