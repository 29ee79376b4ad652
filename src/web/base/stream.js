// An event stream that survives lost connections, server restarts and sleep: it continues after the last
// received event, without loss or repetition. Some proxies block streams. Then the page polls every few
// seconds, says so, and tries the stream again.

import {
  goodToken,
  headers,
  heard,
  hearFrom,
  isPassing,
  line,
  noteEnd,
  noteStream,
  pause,
  setClock,
} from './api.js'

/** @typedef {{id: string | null, type: string, data: any}} Told */

/** Longest wait for the first bytes of a stream. Buffering proxies hold them back. */
const FIRST_BYTES = 6_000
/** Interval of polling, and of attempts to stream again. */
const LOOK = 4_000
const RETRY = 30_000
/** Failures of a stream before the page polls. */
const PATIENCE = 5

/**
 * Listens until stopped. `after` is the last known event. `look` polls while there is no stream.
 * @param {string} path
 * @param {string | null} after
 * @param {(told: Told) => void} tell
 * @param {() => void} look
 * @returns {() => void}
 */
export function listen(path, after, tell, look) {
  let stopped = false
  let last = after
  let wait = 500
  let current = new AbortController()
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let silence
  let heardAt = Date.now()
  let connected = false
  let failures = 0
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let looking
  const me = {}

  /** Updates the state of the stream, and polls once more for events in between. @param {boolean} isThere */
  const note = (isThere) => {
    if (isThere === (looking === undefined)) return
    noteStream(me, isThere)
    clearInterval(looking)
    looking = isThere ? undefined : setInterval(look, LOOK + 1000 * Math.random())
    if (!stopped) look()
  }
  // The server sends something every 15 seconds. A connection that is silent for longer is dead.
  const alive = () => {
    heardAt = Date.now()
    if (connected) heard('well')
    clearTimeout(silence)
    silence = setTimeout(() => current.abort(), 45_000)
  }
  // After a sleep the connection may be dead. One that was silent for long is replaced.
  const wake = () => {
    if (document.visibilityState !== 'visible') return
    wait = 0
    if (Date.now() - heardAt > 20_000) current.abort()
  }
  // Try the stream again when the server is reachable again.
  const healed = () => {
    if (line.state === 'well' && looking !== undefined) wait = Math.min(wait, 1000)
  }
  document.addEventListener('visibilitychange', wake)
  window.addEventListener('online', wake)

  /** There is no stream: the page looks by itself meanwhile. */
  function refused() {
    if (stopped) return
    note(false)
    wait = RETRY
  }

  /** Handles an answer that is not a stream. @param {Response} answer @param {string | null} token */
  function turnedAway(answer, token) {
    const { status } = answer
    // The game is over: no more events.
    if (status === 204) return void (stopped = true)
    hearFrom(answer)
    // A refusal by a proxy says nothing about the game.
    const isOwn = (answer.headers.get('content-type') ?? '').includes('problem+json')
    // Public games are followed without a token.
    if (isOwn && status === 401 && token) return noteEnd(token)
    if (isOwn && [401, 403, 404].includes(status)) stopped = true
    else if (!isPassing(status) || (isOwn && (failures += 1) > PATIENCE)) refused()
  }

  async function once() {
    current = new AbortController()
    const id = last === null ? {} : { 'last-event-id': last }
    const token = goodToken()
    connected = false
    alive()
    const mute = setTimeout(() => {
      refused()
      current.abort()
    }, FIRST_BYTES)
    try {
      const answer = await fetch(path, {
        headers: { ...headers('text/event-stream'), ...id },
        signal: current.signal,
      })
      setClock(answer)
      const isStream =
        answer.status === 200 && (answer.headers.get('content-type') ?? '').startsWith('text/event-stream')
      if (!isStream || !answer.body) return turnedAway(answer, token)
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
      for (let rest = ''; ;) {
        const { done, value } = await reader.read()
        if (done || stopped) return connected ? undefined : refused()
        clearTimeout(mute)
        if (!connected) note(true)
        connected = true
        failures = 0
        wait = 500
        alive()
        rest = hear(rest + value)
      }
    } finally {
      clearTimeout(mute)
    }
  }

  /** Passes the complete events of a text on, and returns the rest. @param {string} text */
  function hear(text) {
    const parts = text.split('\n\n')
    const rest = parts.pop() ?? ''
    for (const told of parts.map(read)) {
      if (!told) continue
      if (told.id !== null) last = told.id
      if (told.type === 'end') stopped = true
      tell(told)
    }
    return rest
  }

  async function go() {
    line.listeners.add(healed)
    while (!stopped) {
      try {
        await once()
      } catch {
        if (!stopped && !connected && (failures += 1) > PATIENCE) refused()
        else if (!stopped && looking === undefined) heard('lost')
      }
      for (let waited = 0; waited < wait && !stopped; waited += 100) await pause(100)
      wait = looking === undefined ? Math.min(Math.max(wait, 250) * 2, 8000) : RETRY
    }
    end()
  }

  function end() {
    stopped = true
    note(true)
    clearTimeout(silence)
    line.listeners.delete(healed)
    document.removeEventListener('visibilitychange', wake)
    window.removeEventListener('online', wake)
  }
  void go()
  return () => {
    end()
    current.abort()
  }
}

/** @param {string} part @returns {Told | null} */
function read(part) {
  /** @type {Told} */
  const told = { id: null, type: 'item', data: null }
  let data = ''
  for (const text of part.split('\n')) {
    const colon = text.indexOf(':')
    if (colon < 1) continue
    const value = text.slice(colon + 1).replace(/^ /, '')
    if (text.startsWith('id:')) told.id = value
    else if (text.startsWith('event:')) told.type = value
    else if (text.startsWith('data:')) data += value
  }
  if (!data) return null
  told.data = JSON.parse(data)
  return told
}
