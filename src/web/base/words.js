// Texts of the page. Texts of games come from the API in the same language.

import { fill } from './fill.js'
import { settings } from './store.js'
import { TEXTS } from '../texts.js'

/** @typedef {'en' | 'it'} Language */
/** @typedef {keyof typeof import('../texts.js').TEXTS} TextName */

/** @type {Language} */
let now = 'en'

export const language = () => now

/** Chooses the saved language, or the browser's. */
export function chooseLanguage() {
  const wanted = settings().language || navigator.language
  now = wanted.startsWith('it') ? 'it' : 'en'
  document.documentElement.lang = now
}

/**
 * Returns a text: `{name}` is an argument, `{n|one|many}` a form of a number.
 * @param {TextName} name
 * @param {Record<string, string | number>} [args]
 */
export function t(name, args = {}) {
  return fill(TEXTS[name][now === 'it' ? 1 : 0], args, number)
}

/** Returns the text of a word that a server wrote, or the word if it is unknown here. @param {string} prefix @param {string} word */
export function known(prefix, word) {
  const name = prefix + word
  return name in TEXTS ? t(/** @type {TextName} */ (name)) : word.replaceAll('_', ' ')
}

/** The regional form of the language. */
const locale = () => navigator.languages.find((known) => known.startsWith(now)) ?? now

/** A number, with a true minus. @param {number} value */
export const number = (value) =>
  new Intl.NumberFormat(now, { useGrouping: 'always' }).format(value).replace('-', '−')

/** A number with its sign. @param {number} value */
export const signed = (value) => (value > 0 ? `+${number(value)}` : number(value))

/** @param {string[]} items */
export const list = (items) => new Intl.ListFormat(now, { type: 'conjunction' }).format(items)

/** Formats a time in the reader's time zone. @param {string} at */
export const moment = (at) =>
  new Intl.DateTimeFormat(locale(), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(at))

/** @param {string} at */
export const day = (at) =>
  new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'long', year: 'numeric' }).format(new Date(at))
