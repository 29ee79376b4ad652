// The player's inbox: waiting games and news, by one stream for all tabs, counted in the title.

import { all, get, headers, line, pause } from './api.js'
import { hex } from './bytes.js'
import { keep, lookAtInvitations } from './invitations.js'
import { session } from './store.js'
import { reveal } from './reveal.js'
import { listen } from './stream.js'

/** @typedef {import('../types.d.ts').Game} Game */

export const inbox = {
  /** Games that wait for the player, longest first. @type {Game[]} */
  waiting: [],
  /** Games with unread messages. @type {Set<string>} */
  spoken: new Set(),
  /** Requests for a rematch, by game. @type {Map<string, string>} */
  rematches: new Map(),
  /** @type {Set<(what: string, data: any) => void>} */
  listeners: new Set(),
}

/** @type {(() => void) | null} */
let stop = null
let asking = false
let again = false
/** Whether the last request was not answered. */
let hasMissed = false

/** Listens for the current player, if there is one. */
export function openInbox() {
  stop?.()
  stop = null
  inbox.waiting = []
  if (!session.get()) return
  void look()
  void lookAtInvitations().catch(() => null)
  const silence = lead()
  line.listeners.add(lookAgain)
  stop = () => {
    line.listeners.delete(lookAgain)
    silence()
  }
}

/** Repeats an unanswered request, after a moment to spare a busy server. */
const lookAgain = () => hasMissed && line.state === 'well' && void pause(1000).then(look)

/** One tab of the browser listens and informs the others, since connections to a server are few. */
function lead() {
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('playledger') : null
  channel?.addEventListener('message', ({ data }) => !['seen', 'who'].includes(data.type) && tell(data))
  const over = new AbortController()
  /** @type {(() => void) | null} */
  let silence = null
  /** Visible tabs, as they report. @type {Set<string>} */
  const seen = new Set()
  let present = false
  /** A new name for each listening tab, so that late farewells are ignored. */
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
  // A player with a visible tab gets no other notifications. The listening tab reports this for all.
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
    // The server would notice the closed connection too late.
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
        // The earlier listener may have missed the last event.
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
  if (type === 'invitation')
    void keep(data)
      .then(() => inbox.listeners.forEach((listener) => listener('invited', data)))
      .catch(() => null)
  if (type !== 'message') void look()
  inbox.listeners.forEach((listener) => listener(type, data))
}

/** Loads the inbox. Concurrent calls cause one more request. */
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
    // The bar under the header shows the failure.
    hasMissed = true
  }
  asking = false
  badge()
  inbox.listeners.forEach((listener) => listener('waiting', null))
  if (again) void look()
}

/** Shows the number of waiting games on the icon of the app, where there is one. */
function badge() {
  const app = /** @type {any} */ (navigator)
  void app.setAppBadge?.(myTurns().length)?.catch?.(() => null)
}

/**
 * Returns the games in which the player must decide, longest waiting first, without `but`.
 * @param {string} [but]
 */
export const myTurns = (but) => inbox.waiting.filter(({ id, status }) => id !== but && status === 'running')

/** Loads the player again, for instance after a change of name. */
export async function whoAmI() {
  const known = session.get()
  if (known) session.set({ ...known, player: await get('/v1/me') })
}
