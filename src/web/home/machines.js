// Players of the server's own: which levels there are, and how one is chosen.

import { h } from '../base/view.js'
import { t } from '../base/words.js'

/** @typedef {'easy' | 'middle' | 'hard' | 'hardest'} Level */

/** @type {Level[]} */
export const LEVELS = ['easy', 'middle', 'hard', 'hardest']

/** Who is to have a seat: somebody who comes, or a machine.
 * @param {{id: string, label: string, value: Level | '', change: (level: Level | '') => void}} of */
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
