// What waits for the player who is here, wherever on the page that is: told by one stream, and counted in the
// title.

import { all, get, headers, line, pause } from './api.js'
import { hex } from './bytes.js'
import { session } from './store.js'
import { reveal } from './reveal.js'
import { listen } from './stream.js'

/** @typedef {import('../types.d.ts').Game} Game */

export const inbox = {
  /** The games that wait for me, the longest first. @type {Game[]} */
  waiting: [],
  /** Games in which somebody said something since I looked. @type {Set<string>} */
  spoken: new Set(),
  /** Who asks for a rematch of a game, by the game. @type {Map<string, string>} */
  rematches: new Map(),
  /** @type {Set<(what: string, data: any) => void>} */
  listeners: new Set(),
}

/** @type {(() => void) | null} */
let stop = null
let asking = false
let again = false
/** Whether the last look was not answered. */
let hasMissed = false

/** Listens for the player who is here now; for nobody if nobody is. */
export function openInbox() {
  stop?.()
  stop = null
  inbox.waiting = []
  if (!session.get()) return
  void look()
  const silence = lead()
  line.listeners.add(lookAgain)
  stop = () => {
    line.listeners.delete(lookAgain)
    silence()
  }
}

/** What was asked for while nothing was heard is asked for again: in a moment, so that no server that is busy is kept so. */
const lookAgain = () => hasMissed && line.state === 'well' && void pause(1000).then(look)

/** Of all tabs of this browser one listens, and tells the others: a browser has few connections for each server. */
function lead() {
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('playledger') : null
  channel?.addEventListener('message', ({ data }) => !['seen', 'who'].includes(data.type) && tell(data))
  const over = new AbortController()
  /** @type {(() => void) | null} */
  let silence = null
  /** The tabs that somebody has before the eyes, as far as they say so. @type {Set<string>} */
  const seen = new Set()
  let present = false
  /** How the one that listens calls itself, anew each time: a farewell that comes late concerns nobody else. */
  let listens = ''
  const listenForAll = () => {
    present = seen.size > 0
    silence?.()
    listens = name()
    channel?.postMessage({ type: 'who', data: listens })
    silence = listen(
      `/v1/me/events${present ? `?present=${listens}` : ''}`,
      null,
      (told) => {
        channel?.postMessage(told)
        tell(told)
      },
      () => {
        channel?.postMessage({ type: 'waiting', data: null })
        void look()
      },
    )
  }
  // Whoever looks is told by no other way: the one tab that listens says so for all of them.
  const own = name()
  const note = ({ tab = own, isSeen = false }) => {
    if (isSeen) seen.add(tab)
    else seen.delete(tab)
    if (!silence || present === seen.size > 0) return
    listenForAll()
    void look()
  }
  /** @param {boolean} isSeen */
  const tellSeen = (isSeen) => {
    const [wasSeen, before] = [seen.size > 0, listens]
    channel?.postMessage({ type: 'seen', data: { tab: own, isSeen } })
    note({ tab: own, isSeen })
    // The server would learn of it too late from a connection that is gone.
    if (wasSeen && seen.size === 0)
      void fetch(`/v1/me/presence/${before}`, {
        method: 'DELETE',
        keepalive: true,
        headers: headers('*/*'),
      }).catch(() => null)
  }
  const say = () => tellSeen(document.visibilityState === 'visible')
  const leave = () => tellSeen(false)
  channel?.addEventListener('message', ({ data: { type, data } }) => {
    if (type === 'seen') note(data)
    else if (type === 'who') {
      listens = data
      say()
    }
  })
  document.addEventListener('visibilitychange', say)
  window.addEventListener('pagehide', leave)
  say()
  if (channel && navigator.locks) {
    const untilOver = () => new Promise((done) => over.signal.addEventListener('abort', done))
    navigator.locks
      .request('playledger', { signal: over.signal }, () => {
        // Whoever listened before may have missed the last.
        void look()
        listenForAll()
        return untilOver()
      })
      .catch(() => null)
  } else listenForAll()
  return () => {
    over.abort()
    silence?.()
    document.removeEventListener('visibilitychange', say)
    window.removeEventListener('pagehide', leave)
    channel?.close()
  }
}

const name = () => hex(crypto.getRandomValues(new Uint8Array(16)))

/** @param {{type: string, data: any}} told */
function tell({ type, data }) {
  if (type === 'message') inbox.spoken.add(data.game)
  if (type === 'rematch') inbox.rematches.set(data.previous, data.by)
  if (type !== 'message' && type !== 'game') void look()
  inbox.listeners.forEach((listener) => listener(type, data))
}

/** Asks what waits. However many ask at once, it is asked once more after the last. */
export async function look() {
  again = asking
  if (asking) return
  asking = true
  hasMissed = false
  try {
    inbox.waiting = await all('/v1/me/games?turn=mine', 100)
    for (const game of inbox.waiting.filter(({ status }) => status === 'sealed'))
      await reveal(game).catch(() => null)
  } catch {
    // The bar under the header says it.
    hasMissed = true
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
