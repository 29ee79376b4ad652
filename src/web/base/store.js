// Local storage: the player, and settings of the page. Without storage, values last as long as the page.

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

/** The current player. */
export const session = {
  /** @returns {Session | null} */
  get: () => read('session'),
  /** @param {Session | null} value */
  set: (value) => {
    write('session', value)
    if (!value) dropDrafts()
  },
}

/** Other accounts of this browser. */
export const kept = {
  /** @returns {Session[]} */
  get: () => read('kept') ?? [],
  /** @param {Session[]} value */
  set: (value) => write('kept', value.length > 0 ? value : null),
  /** @param {string} id */
  find: (id) => kept.get().find(({ player }) => player.id === id) ?? null,
  /** @param {Session} one */
  add: (one) => {
    // Keep a recovery code that was not written down yet.
    const recovery = one.recovery ?? kept.find(one.player.id)?.recovery ?? null
    kept.set([...kept.get().filter(({ player }) => player.id !== one.player.id), { ...one, recovery }])
  },
  /** @param {Session} one */
  drop: (one) => kept.set(kept.get().filter(({ player }) => player.id !== one.player.id)),
}

/** Switches to an account, and keeps the previous one. @param {Session} next */
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

/** Returns the storage name of a table's draft. @param {string} game */
export const ofDraft = (game) => `draft.${game}`

/** Drafts belong to their player alone. */
function dropDrafts() {
  const isDraft = (/** @type {string} */ name) => name.startsWith(`playledger.note.${ofDraft('')}`)
  try {
    Object.keys(localStorage)
      .filter(isDraft)
      .forEach((name) => localStorage.removeItem(name))
  } catch {
    // Without storage there are no drafts.
  }
}

const DEFAULTS = { language: '', theme: 'light dark', motion: true, sound: false, letters: true, tries: true }

/** @typedef {typeof DEFAULTS} Settings */

/** @returns {Settings} */
export function settings() {
  return { ...DEFAULTS, ...read('settings') }
}

/** @param {Partial<Settings>} some */
export function keepSettings(some) {
  write('settings', { ...settings(), ...some })
}

/** Returns whether animations are off. */
export const isStill = () => !settings().motion || matchMedia('(prefers-reduced-motion: reduce)').matches

/** Returns a note of this browser, such as a seen hint. @param {string} name */
export const remembered = (name) => read(`note.${name}`)

/** @param {string} name @param {any} value */
export const remember = (name, value) => write(`note.${name}`, value)
