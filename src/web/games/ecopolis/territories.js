// All territories as a table.

import { icon, seatShape } from '../../base/icons.js'
import { h } from '../../base/view.js'
import { number, t } from '../../base/words.js'
import { nameOf } from '../../home/parts.js'

/** @param {import('../../table/page.js').Parts} parts */
export function territories({ state, catalogue, table }) {
  const columns = [
    t('territory'),
    t('area'),
    t('owner'),
    t('actions'),
    t('rent'),
    t('price'),
    t('cost'),
    t('bonus'),
  ]
  return h(
    'section.sheet.territories',
    { 'aria-labelledby': 'territories' },
    h('h2', { id: 'territories', tabindex: '-1' }, t('territories')),
    h(
      'div.wide',
      { tabindex: '0', role: 'group', 'aria-labelledby': 'territories' },
      h(
        'table',
        null,
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            columns.map((name) => h('th', { scope: 'col' }, name)),
          ),
        ),
        h(
          'tbody',
          null,
          (catalogue?.territories ?? []).map((card) => {
            const now = state.territories.find((/** @type {any} */ one) => one.id === card.id)
            const area = catalogue?.areas.findIndex((one) => one.id === card.area) ?? 0
            return h(
              'tr',
              { key: card.id },
              h('th', { scope: 'row' }, card.name, h('small', null, ` ${card.known_for}`)),
              h('td', null, h('span', { class: `swatch area-${area}` }), catalogue?.areas[area]?.name),
              h(
                'td',
                null,
                now.owner === null
                  ? t('free')
                  : [
                      seatShape(now.owner),
                      ' ',
                      nameOf(table.player(now.owner)),
                      now.resting && h('small', null, ' ', t('resting')),
                    ],
              ),
              h(
                'td',
                null,
                card.slots.map((id, at) =>
                  h(
                    'span',
                    {
                      class: at < now.actions_done ? 'slot-mark done' : 'slot-mark',
                      title: catalogue?.cards.find((one) => one.id === id)?.name ?? id,
                    },
                    icon(id),
                    h(
                      'span.unseen',
                      null,
                      `${catalogue?.cards.find((one) => one.id === id)?.name ?? id}${at < now.actions_done ? ' ✓' : ''}, `,
                    ),
                  ),
                ),
              ),
              h('td', null, number(now.rent)),
              h('td', null, number(card.price)),
              h('td', null, card.co2_cost),
              h('td', null, card.bonus),
            )
          }),
        ),
      ),
    ),
  )
}
