// A stream of events that heals: after a lost connection, a restarted server or a night in a closed laptop it goes on after
// the last event that was heard, so that none is missed and none told twice.

import { goodToken, headers, heard, hearFrom, isPassing, noteEnd, pause, setClock } from './api.js'

/** @typedef {{id: string | null, type: string, data: any}} Told */

/** Listens until it is told to stop. `after` is the last event that is known already.
 * @param {string} path @param {string | null} after
 * @param {(told: Told) => void} tell @param {(status: number) => void} [refused] @returns {() => void} */
export function listen(path, after, tell, refused) {
  let stopped = false
  let last = after
  let wait = 500
  /** @type {AbortController} */
  let current = new AbortController()
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let silence
  let heardAt = Date.now()
  let connected = false
  // The server says something at least every quarter of a minute. A connection that says nothing for longer is dead.
  const alive = () => {
    heardAt = Date.now()
    if (connected) heard('well')
    clearTimeout(silence)
    silence = setTimeout(() => current.abort(), 45_000)
  }
  // After a sleep nobody knows whether the connection still lives: one that was silent for long is made anew.
  const wake = () => {
    if (document.visibilityState !== 'visible') return
    wait = 0
    if (Date.now() - heardAt > 20_000) current.abort()
  }
  document.addEventListener('visibilitychange', wake)
  window.addEventListener('online', wake)

  async function once() {
    current = new AbortController()
    const id = last === null ? {} : { 'last-event-id': last }
    const token = goodToken()
    connected = false
    alive()
    const answer = await fetch(path, { headers: { ...headers('text/event-stream'), ...id }, signal: current.signal })
    setClock(answer)
    if (!answer.ok || !answer.body) {
      hearFrom(answer)
      // What is open to everybody is followed without a token.
      if (answer.status === 401 && token) return noteEnd(token)
      if (!isPassing(answer.status)) {
        stopped = true
        refused?.(answer.status)
      }
      return
    }
    connected = true
    heard('well')
    wait = 500
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let rest = ''; ; ) {
      const { done, value } = await reader.read()
      if (done || stopped) return
      alive()
      const parts = (rest + value).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) {
        const told = read(part)
        if (!told) continue
        if (told.id !== null) last = told.id
        if (told.type === 'end') stopped = true
        tell(told)
      }
    }
  }

  async function go() {
    while (!stopped) {
      try {
        await once()
      } catch {
        if (!stopped) heard('lost')
      }
      if (stopped) break
      for (let waited = 0; waited < wait; waited += 100) await pause(100)
      wait = Math.min(Math.max(wait, 250) * 2, 8000)
    }
    clearTimeout(silence)
    document.removeEventListener('visibilitychange', wake)
    window.removeEventListener('online', wake)
  }
  void go()
  return () => {
    stopped = true
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
