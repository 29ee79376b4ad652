// What this browser keeps: who plays here, and how the page shall look. Where nothing can be kept, it lasts as long as the page.

/** @type {Map<string, string>} */
const fallback = new Map()

/** @param {string} name @returns {any} */
function read(name) {
  let text
  try {
    text = localStorage.getItem(`playledger.${name}`)
  } catch {
    text = fallback.get(name)
  }
  try {
    return text ? JSON.parse(text) : null
  } catch {
    return null
  }
}

/** @param {string} name @param {any} value */
function write(name, value) {
  try {
    if (value === null) localStorage.removeItem(`playledger.${name}`)
    else localStorage.setItem(`playledger.${name}`, JSON.stringify(value))
  } catch {
    fallback.set(name, JSON.stringify(value))
  }
}

/** @typedef {{token: string, player: {id: string, name: string | null}, recovery?: string | null}} Session */

/** Who plays here. */
export const session = {
  /** @returns {Session | null} */
  get: () => read('session'),
  /** @param {Session | null} value */
  set: (value) => {
    write('session', value)
    if (!value) dropDrafts()
  },
}

/** Accounts that this browser keeps besides the one that plays. */
export const kept = {
  /** @returns {Session[]} */
  get: () => read('kept') ?? [],
  /** @param {Session[]} value */
  set: (value) => write('kept', value.length > 0 ? value : null),
  /** @param {string} id */
  find: (id) => kept.get().find(({ player }) => player.id === id) ?? null,
  /** @param {Session} one */
  add: (one) => {
    // A recovery code that was not written down yet is not lost.
    const recovery = one.recovery ?? kept.find(one.player.id)?.recovery ?? null
    kept.set([...kept.get().filter(({ player }) => player.id !== one.player.id), { ...one, recovery }])
  },
  /** @param {Session} one */
  drop: (one) => kept.set(kept.get().filter(({ player }) => player.id !== one.player.id)),
}

/** Lets an account play here, and keeps the one that played before. @param {Session} next */
export function playAs(next) {
  const before = session.get()
  const isSame = before?.player.id === next.player.id
  const recovery = next.recovery ?? (isSame ? before : kept.find(next.player.id))?.recovery ?? null
  kept.drop(next)
  if (before && !isSame) {
    kept.add(before)
    dropDrafts()
  }
  session.set({ ...next, recovery })
}

/** The name of the note of what is drafted at a table. @param {string} game */
export const ofDraft = (game) => `draft.${game}`

/** What was drafted here concerns only who drafted it. */
function dropDrafts() {
  const isDraft = (/** @type {string} */ name) => name.startsWith(`playledger.note.${ofDraft('')}`)
  try {
    Object.keys(localStorage)
      .filter(isDraft)
      .forEach((name) => localStorage.removeItem(name))
  } catch {
    // Nothing is kept here.
  }
}

const DEFAULTS = { language: '', theme: 'light dark', motion: true, letters: true, tries: true }

/** @typedef {typeof DEFAULTS} Settings */

/** @returns {Settings} */
export function settings() {
  return { ...DEFAULTS, ...read('settings') }
}

/** @param {Partial<Settings>} some */
export function keepSettings(some) {
  write('settings', { ...settings(), ...some })
}

/** Whether nothing shall move. */
export const isStill = () => !settings().motion || matchMedia('(prefers-reduced-motion: reduce)').matches

/** A note of this browser's own: what was said once, what was seen. @param {string} name */
export const remembered = (name) => read(`note.${name}`)

/** @param {string} name @param {any} value */
export const remember = (name, value) => write(`note.${name}`, value)
