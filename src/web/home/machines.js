// Built-in bots: their levels, and the choice of one.

import { h } from '../base/view.js'
import { t } from '../base/words.js'

/** @typedef {'easy' | 'middle' | 'hard' | 'hardest'} Level */

/** @type {Level[]} */
export const LEVELS = ['easy', 'middle', 'hard', 'hardest']

/**
 * Chooses the player of a seat: a person to be invited, or a bot.
 * @param {{id: string, label: string, value: Level | '', change: (level: Level | '') => void}} of
 */
export const chooser = ({ id, label, value, change }) =>
  h(
    'div.option',
    { key: id },
    h('label', { for: id }, label, ' '),
    h(
      'select',
      { id, value, onchange: (/** @type {any} */ event) => change(event.target.value) },
      h('option', { value: '' }, t('a_person')),
      LEVELS.map((level) =>
        h('option', { value: level, key: level }, t('machine_of_level', { level: t(level) })),
      ),
    ),
  )
