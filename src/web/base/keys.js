// Keyboard shortcuts. They work while no field has the focus, and appear on their buttons.

import { settings } from './store.js'
import { h } from './view.js'

/** @typedef {Record<string, () => void>} Keys */

/** @type {Keys} */
let now = {}

/** Replaces the shortcuts. @param {Keys} keys */
export function useKeys(keys) {
  now = keys
}

/** The letter on a button. @param {string} key */
export const letter = (key) => settings().letters && h('kbd', { 'aria-hidden': 'true' }, key)

const FIELDS = 'input:not([type=range]):not([type=checkbox]):not([type=radio]), textarea, select'

/** Elements that use a key themselves. @type {Record<string, string>} */
const PRESSED_BY = { Enter: 'a, button, summary, label, input', ' ': 'button, summary, label, input' }

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  const target = /** @type {HTMLElement} */ (event.target)
  if (target.matches(FIELDS)) return
  // A focused button handles these keys itself, and a range the arrows.
  const own = PRESSED_BY[event.key]
  if (own && target.closest(own)) return
  if (event.key !== 'Escape' && !settings().letters) return
  const moves = /^(Arrow|Home|End)/.test(event.key)
  // A held key repeats moves only. Scrollable elements scroll.
  if (event.repeat && !moves) return
  if (moves && target.closest('[tabindex="0"], [role=tablist], input') && !target.closest('button, a')) return
  const act = now[event.key.length === 1 ? event.key.toLowerCase() : event.key]
  if (!act) return
  event.preventDefault()
  act()
})
