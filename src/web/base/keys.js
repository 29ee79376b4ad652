// The keyboard. A letter works when no field has the focus, and is shown on the button that it presses.

import { settings } from './store.js'
import { h } from './view.js'

/** @typedef {Record<string, () => void>} Keys */

/** @type {Keys} */
let now = {}

/** What keys do from here on. @param {Keys} keys */
export function useKeys(keys) {
  now = keys
}

/** The letter on a button. @param {string} key */
export const letter = (key) => settings().letters && h('kbd', { 'aria-hidden': 'true' }, key)

const FIELDS = 'input:not([type=range]):not([type=checkbox]):not([type=radio]), textarea, select'

/** What each key presses by itself. @type {Record<string, string>} */
const PRESSED_BY = { Enter: 'a, button, summary, label, input', ' ': 'button, summary, label, input' }

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  const target = /** @type {HTMLElement} */ (event.target)
  if (target.matches(FIELDS)) return
  // A button that has the focus is pressed by these itself, and a range is moved by the arrows.
  const own = PRESSED_BY[event.key]
  if (own && target.closest(own)) return
  if (event.key !== 'Escape' && !settings().letters) return
  const moves = /^(Arrow|Home|End)/.test(event.key)
  // A key that is held down moves on, and does nothing twice; what can be scrolled is scrolled.
  if (event.repeat && !moves) return
  if (moves && target.closest('[tabindex="0"], [role=tablist], input') && !target.closest('button, a')) return
  const act = now[event.key.length === 1 ? event.key.toLowerCase() : event.key]
  if (!act) return
  event.preventDefault()
  act()
})
