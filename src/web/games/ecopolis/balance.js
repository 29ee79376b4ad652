// The standings: balances from -20 to the one that wins, and the goods of each seat.

import { seatShape, shape } from '../../base/icons.js'
import { h } from '../../base/view.js'
import { number, signed, t } from '../../base/words.js'
import { nameOf } from '../../home/parts.js'
import { changed, delta } from '../../table/tray.js'

/** @typedef {import('../../table/page.js').Parts} Parts */

/** @param {Parts} parts */
export function balances(parts) {
  const { state, before, since, table, me } = parts
  const seats = /** @type {any[]} */ (state.seats)
  const options = /** @type {any} */ (table.game?.options)
  const wins = options?.length === 'long' ? 25 : 20
  const help = t(options?.elimination === false ? 'balance_help_restart' : 'balance_help', { wins })
  return h(
    'section.seats-box',
    { id: 'seats', 'aria-labelledby': 'balance-title' },
    h('h2', { id: 'balance-title', tabindex: '-1' }, t('balance'), ' ', h('small', null, help)),
    gauge(seats, table, wins),
    h(
      'div.wide',
      { tabindex: '0', role: 'group', 'aria-labelledby': 'balance-title' },
      h(
        'table',
        null,
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            [t('seat'), t('balance'), t('credits'), t('euros'), t('cards')].map((name) =>
              h('th', { scope: 'col' }, name),
            ),
          ),
        ),
        h(
          'tbody',
          null,
          seats.map((one) => {
            const old = before?.seats[one.seat]
            const then = before ? null : since?.seats[one.seat]
            const sits = table.view?.seats[one.seat]
            const mark = one.eliminated
              ? t('eliminated')
              : sits?.resigned
                ? t('resigned')
                : sits?.control === 'autopilot'
                  ? t('autopilot')
                  : sits?.asks_pause
                    ? t('asks_pause')
                    : ''
            return h(
              'tr',
              {
                key: String(one.seat),
                class:
                  [one.seat === state.to_act && 'now', one.eliminated && 'out'].filter(Boolean).join(' ') ||
                  null,
              },
              h(
                'th',
                { scope: 'row' },
                seatShape(one.seat),
                ' ',
                nameOf(table.player(one.seat)),
                one.seat === me && h('small', null, ' ', t('you')),
                mark && h('small', null, ' ', mark),
              ),
              h(
                'td',
                null,
                changed(old && signed(old.balance), signed(one.balance)),
                delta(then?.balance, one.balance),
              ),
              h(
                'td',
                null,
                changed(old && number(old.credits), number(one.credits)),
                delta(then?.credits, one.credits),
              ),
              h(
                'td',
                null,
                changed(old && number(old.euros), number(one.euros)),
                delta(then?.euros, one.euros),
              ),
              h('td', null, one.hand_size),
            )
          }),
        ),
      ),
    ),
    h(
      'p.small',
      null,
      `${t('bag')} `,
      h('strong', null, state.bag),
      ` · ${t('event_deck')} `,
      h('strong', null, state.event_deck),
      ' · ',
      h('a', { href: '#territories', onclick: lead }, t('territories')),
    ),
  )
}

/** Scrolls by itself, since the address belongs to the game. @param {Event} event */
function lead(event) {
  event.preventDefault()
  document.getElementById('territories')?.focus()
  document.getElementById('territories')?.scrollIntoView({ block: 'start' })
}

/** @param {any[]} seats @param {import('../../table/model.js').Table} table @param {number} wins */
function gauge(seats, table, wins) {
  const x = (/** @type {number} */ balance) =>
    14 + ((Math.min(wins, Math.max(-20, balance)) + 20) / (wins + 20)) * 272
  const said = seats.map(({ seat, balance }) => `${table.name(seat)}: ${balance}`).join(', ')
  /** @type {Map<number, number>} */
  const stacked = new Map()
  return h(
    'svg.gauge',
    { viewBox: '0 0 300 58', role: 'img', 'aria-label': said },
    h('rect.gauge-low', { x: 14, y: 24, width: x(-10) - 14, height: 12 }),
    h('rect.gauge-mid', { x: x(-10), y: 24, width: x(10) - x(-10), height: 12 }),
    h('rect.gauge-high', { x: x(10), y: 24, width: x(wins) - x(10), height: 12 }),
    Array.from({ length: wins + 21 }, (_, at) =>
      h('path.gauge-tick', { d: `M${x(at - 20)} 36v${at % 10 === 0 ? 8 : at % 5 === 0 ? 5 : 3}` }),
    ),
    [-20, -10, 0, 10, wins].map((value) => h('text.gauge-no', { x: x(value), y: 55 }, signed(value))),
    seats
      .filter(({ eliminated }) => !eliminated)
      .map(({ seat, balance }) => {
        const no = stacked.get(balance) ?? 0
        stacked.set(balance, no + 1)
        return h(
          'g',
          { key: `g${seat}` },
          h('path.gauge-tick', { d: `M${x(balance)} 16v20` }),
          shape(seat, x(balance) + no * 10, 10 - no * 2, 6),
        )
      }),
  )
}
