// The pictures of the rule book, drawn as the table draws them.

import { icon } from '../../base/icons.js'
import { h } from '../../base/view.js'
import { t } from '../../base/words.js'
import { figureParts } from '../figure.js'
import { map } from './board.js'
import { family } from './cards.js'
import { mat } from './mats.js'

/** @typedef {import('../../types.d.ts').Catalogue} Catalogue */

/** @param {number} seat @param {number} column @param {number} row @param {any} rest */
const company = (seat, column, row, rest = {}) => ({
  seat,
  column,
  row,
  needs: { rationalization: 5, raw_materials: 5, waste_reduction: 5 },
  waste: 0,
  cash: 15,
  loans: 0,
  materials: 5,
  cards: [],
  saved: null,
  out: false,
  ...rest,
})

/** Yellow of the worked examples, and its rivals. */
const POSITION = {
  phase: 'playing',
  to_act: null,
  starting_seat: 0,
  final_round: false,
  discards: {},
  companies: [
    company(0, 16, 4, {
      needs: { rationalization: 4, raw_materials: 5, waste_reduction: 3 },
      waste: 9,
      cash: 12,
      materials: 7,
      cards: ['order', 'growth', 'advisor'],
    }),
    company(1, 14, 5),
    company(2, 15, 4),
  ],
}

/** @param {string} id @param {Catalogue} catalogue */
export function figure(id, catalogue) {
  const parts = figureParts(POSITION, catalogue)
  if (id === 'board')
    return h(
      'div.industrial-waste.figure-board',
      { tabindex: '0', role: 'group', 'aria-label': t('board') },
      map(parts),
    )
  if (id === 'mat') return h('div.industrial-waste.figure-mat', null, mat(POSITION.companies[0], parts))
  if (id === 'cards') return cards(catalogue)
  return null
}

/** @param {Catalogue} catalogue */
function cards({ cards: all }) {
  return h(
    'ul.chips.figure-chips',
    null,
    all.map(({ id, name, count }) =>
      h('li.chip', { key: id, class: family(id) }, icon(id), `${name} `, h('small', null, `×${count}`)),
    ),
  )
}
