// The pictures of the rule book, drawn as the table draws them.

import { icon } from '../../base/icons.js'
import { h } from '../../base/view.js'
import { number, t } from '../../base/words.js'
import { figureParts } from '../figure.js'
import { ring } from './board.js'

/** @typedef {import('../../types.d.ts').Catalogue} Catalogue */

/** A position early in a game: owners and actions of some territories. @type {Record<string, [number, number]>} */
const OWNED = {
  campogalliano: [0, 3],
  carpi: [0, 1],
  soliera: [1, 0],
  castelfranco_emilia: [0, 0],
  nonantola: [1, 2],
  zocca: [1, 4],
  guiglia: [2, 1],
  sestola: [2, 2],
  vignola: [2, 0],
}
const PAWNS = [17, 4, 31]

/** @param {string} id @param {Catalogue} catalogue */
export function figure(id, catalogue) {
  if (id === 'board')
    return h(
      'div.ecopolis.figure-board',
      { tabindex: '0', role: 'group', 'aria-label': t('board') },
      ring(figureParts(position(catalogue), catalogue)),
    )
  if (id === 'card') return card(catalogue)
  if (id === 'actions') return actions(catalogue)
  return null
}

/** @param {Catalogue} catalogue */
function position({ territories }) {
  return {
    phase: 'square',
    turn_seat: 0,
    to_act: 0,
    dice: [4, 3],
    event: null,
    last_turn: null,
    trade: null,
    debt: null,
    result: null,
    seats: PAWNS.map((square, seat) => ({
      seat,
      square,
      balance: 0,
      hand_size: 6,
      hand: null,
      eliminated: false,
    })),
    territories: territories.map(({ id, square, rents }) => {
      const [owner = null, done = 0] = OWNED[id] ?? []
      return { id, square, owner, actions_done: done, rent: rents[done], resting: false }
    }),
  }
}

/** @param {Catalogue} catalogue */
function actions({ cards }) {
  return h(
    'ul.figure-actions',
    null,
    cards.map(({ id, name }) => h('li', { key: id }, icon(id, { class: 'icon big' }), name)),
  )
}

/** The card of a territory, with what its numbers mean. @param {Catalogue} catalogue */
function card({ territories, areas, cards }) {
  const shown = territories.find(({ id }) => id === 'campogalliano')
  if (!shown) return null
  const area = areas.findIndex(({ id }) => id === shown.area)
  const line = (/** @type {string} */ name, /** @type {import('../../base/view.js').Child} */ value) =>
    h('div', { key: name }, h('dt', null, name), h('dd', null, value))
  return h(
    'div.figure-card',
    null,
    h(
      'header',
      { class: `area-${area}` },
      h('strong', null, shown.name),
      h('small', null, areas[area]?.name ?? ''),
    ),
    h(
      'ol.figure-slots',
      null,
      shown.slots.map((slot) =>
        h(
          'li',
          { key: slot },
          icon(slot, { class: 'icon big' }),
          h('small', null, cards.find(({ id }) => id === slot)?.name ?? slot),
        ),
      ),
    ),
    h(
      'dl',
      null,
      line(t('price'), number(shown.price)),
      line(t('cost'), `−${shown.co2_cost}`),
      line(t('rent'), shown.rents.map(number).join(' · ')),
      line(t('bonus'), `+${shown.bonus}`),
    ),
  )
}
