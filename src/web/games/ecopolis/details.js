// Explains a pressed square over the middle of the board, until it is closed or another is pressed.

import { icon, seatShape } from '../../base/icons.js'
import { h } from '../../base/view.js'
import { number, signed, t } from '../../base/words.js'
import { nameOf } from '../../home/parts.js'

/** @typedef {import('../../table/page.js').Parts} Parts */

/** Opens or closes the details of a square. @param {Parts} parts @param {number} square */
export function explain(parts, square) {
  const { ui, redraw } = parts
  ui.game.square = ui.game.square === square ? null : square
  redraw()
}

/** @param {Parts} parts */
export function details(parts) {
  const { catalogue, ui, redraw } = parts
  const square = catalogue?.squares[ui.game.square ?? -1]
  if (!square) return null
  const close = () => {
    ui.game.square = null
    redraw()
  }
  return h(
    'aside.square-details',
    { key: 'details', role: 'status' },
    h(
      'h3',
      null,
      square.name,
      h('button.quiet', { type: 'button', 'aria-label': t('close'), onclick: close }, icon('cross')),
    ),
    square.kind === 'territory'
      ? territory(parts, square.territory ?? '')
      : h('p', null, t(/** @type {'square_event'} */ (`square_${square.kind}`))),
  )
}

/** @param {Parts} parts @param {string} id */
function territory({ state, catalogue, table }, id) {
  const card = catalogue?.territories.find((one) => one.id === id)
  const now = state.territories.find((/** @type {any} */ one) => one.id === id)
  if (!card || !now) return null
  const area = catalogue?.areas.find((one) => one.id === card.area)?.name
  const named = (/** @type {string} */ kind) => catalogue?.cards.find((one) => one.id === kind)?.name ?? kind
  const line = (/** @type {string} */ name, /** @type {import('../../base/view.js').Child} */ value) =>
    h('div', null, h('dt', null, name), h('dd', null, value))
  return [
    h('p.small', null, `${area} · ${card.known_for}`),
    h(
      'dl',
      null,
      line(
        t('owner'),
        now.owner === null ? t('free') : [seatShape(now.owner), ' ', nameOf(table.player(now.owner))],
      ),
      line(t('price'), number(card.price)),
      line(
        t('rent'),
        card.rents.map((rent, done) => [
          done > 0 && ' · ',
          h(done === now.actions_done ? 'strong' : 'span', null, number(rent)),
        ]),
      ),
      line(t('cost'), signed(-card.co2_cost)),
      line(t('bonus'), signed(card.bonus)),
    ),
    h(
      'ol.slots-list',
      { 'aria-label': t('actions') },
      card.slots.map((kind, at) =>
        h(
          'li',
          { class: at < now.actions_done ? 'done' : at === now.actions_done ? 'next' : null },
          icon(kind),
          named(kind),
        ),
      ),
    ),
  ]
}
