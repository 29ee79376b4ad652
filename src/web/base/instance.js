// The server as its operator describes it: name, links, a notice, and who may come in.

import { get } from './api.js'

/** @typedef {import('../types.d.ts').Server} Server */

/** How often a notice is looked for, in milliseconds. */
const EVERY = 300_000

export const instance = {
  /** @type {Server | null} */
  known: null,
  /** @type {Set<() => void>} */
  listeners: new Set(),
}

export async function learnInstance() {
  instance.known = await get('/v1/server')
  instance.listeners.forEach((listener) => listener())
}

/** Loads the description now and then, while the page is seen. */
export function followInstance() {
  const load = () => void learnInstance().catch(() => null)
  load()
  setInterval(() => document.visibilityState === 'visible' && load(), EVERY)
}
