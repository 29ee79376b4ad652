// The page on which a game is checked.

import { h } from '../base/view.js'
import { t } from '../base/words.js'

/** @param {{id: string | null}} route @param {() => void} redraw @returns {import('../main.js').Page} */
export function checkPage(route, redraw) {
  void route
  void redraw
  return { title: () => t('check_title'), view: () => h('main.narrow', { id: 'main' }, h('h1', null, t('check_title'))) }
}
