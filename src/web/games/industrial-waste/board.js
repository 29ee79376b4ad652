// The common board: growth to the right, co-workers upwards, and the factories.

import { icon, shapePath } from '../../base/icons.js'
import { h, pressed } from '../../base/view.js'
import { list, t } from '../../base/words.js'
import { isIdle } from '../../table/tray.js'
import { cardName } from './cards.js'

/** @typedef {import('../../table/page.js').Parts} Parts */

const COLUMNS = [14, 15, 16, 17, 18, 19, 20]
const ROWS = [5, 4, 3, 2, 1]
const LEFT = 92,
  TOP = 62,
  WIDE = 64,
  HIGH = 50

const x = (/** @type {number} */ column) => LEFT + (column - 14) * WIDE
const y = (/** @type {number} */ row) => TOP + (5 - row) * HIGH

/** Positions of several factories in a space. */
const PLACES = [
  [[0, 0]],
  [
    [-15, 0],
    [15, 0],
  ],
  [
    [-15, -10],
    [15, -10],
    [0, 11],
  ],
  [
    [-15, -10],
    [15, -10],
    [-15, 11],
    [15, 11],
  ],
]

/** @param {Parts} parts */
export function board(parts) {
  const { state, catalogue } = parts
  const discards = Object.entries(state.discards)
  const count = discards.reduce((sum, [, n]) => sum + Number(n), 0)
  return h(
    'section.board-box',
    { id: 'board', tabindex: '-1', 'aria-labelledby': 'board-title' },
    h('h2.unseen', { id: 'board-title' }, t('board')),
    map(parts),
    h(
      'p.board-help',
      null,
      h('span', null, t('board_help')),
      state.final_round ? h('strong', null, t('final_round')) : null,
    ),
    h(
      'div.facts',
      null,
      h('span', null, icon('deck'), t('supply'), ' ', h('strong', null, state.supply)),
      h(
        'details',
        null,
        h('summary', null, t('discards'), ' ', h('strong', null, count)),
        h('p', null, list(discards.map(([kind, n]) => `${n} ${cardName(catalogue, kind)}`)) || '–'),
      ),
      h('span', null, icon('crate'), t('common_supply'), ' ', h('strong', null, state.common_materials)),
      h('span', null, icon('accident'), t(state.accident_aside ? 'accident_is_aside' : 'accident_in_supply')),
    ),
    parts.scrubber,
  )
}

/** @param {Parts} parts */
export function map(parts) {
  const { state, table } = parts
  const said = state.companies
    .map((/** @type {any} */ { seat, column, row }) =>
      t('factory_at', { name: table.name(seat), column, row }),
    )
    .join('. ')
  return h(
    'svg.board',
    {
      viewBox: `0 0 ${LEFT + 7 * WIDE + 8} ${TOP + 5 * HIGH + 8}`,
      role: parts.legal.some(({ command }) => command.type === 'grow' || command.type === 'adjust_workforce')
        ? 'group'
        : 'img',
      'aria-label': said,
    },
    skyline(),
    COLUMNS.map(column),
    ROWS.map(row),
    ROWS.map((row) => COLUMNS.map((column) => space(column, row, parts))),
    h('path.hazard-line', {
      d: `M${x(20) - 1} ${TOP - 2}v${5 * HIGH + 4}M${x(20) + WIDE - 3} ${TOP - 2}v${5 * HIGH + 4}`,
    }),
    h('path.hazard-dash', {
      d: `M${x(20) - 1} ${TOP - 2}v${5 * HIGH + 4}M${x(20) + WIDE - 3} ${TOP - 2}v${5 * HIGH + 4}`,
    }),
    trails(parts),
    factories(parts),
  )
}

const skyline = () => [
  h('path.plate', { d: `M0 0h${LEFT + 7 * WIDE + 8}v${TOP + 5 * HIGH + 8}H0z` }),
  h('path.sky', {
    d: 'M0 30l20 9v-9l20 9V14h9v27l24-11v9l24-11v9l24-11v10h14V22h7v18l30-13v10l30-13v12h24V9h9v29l26-12v10l26-12v12h20V24h7v14l30-13v10l30-13v11h26v-8l24-9v10l40-14v17h32v22H0z',
  }),
]

/** @param {number} column */
const column = (column) => [
  h('circle.column-coin', { cx: x(column) + WIDE / 2, cy: 34, r: 18 }),
  h('text.column-no', { x: x(column) + WIDE / 2, y: 42 }, column),
]

/** @param {number} row */
const row = (row) => [
  Array.from({ length: row }, (_, at) => {
    const left = 66 - at * 12
    return h('path.worker', {
      d: `M${left - 3} ${y(row) + 20}a3.500 3.500 0 1 1 7 0a3.500 3.500 0 1 1-7 0M${left - 5} ${y(row) + 32}c0-10 11-10 11 0z`,
    })
  }),
  h('text.row-no', { x: 82, y: y(row) + 33 }, row),
]

/**
 * Draws a space, as a button if a command leads to it.
 * @param {number} column
 * @param {number} row
 * @param {Parts} parts
 */
function space(column, row, parts) {
  const leads = isIdle(parts)
    ? undefined
    : parts.legal.find(({ command }) => {
        const target = leadsTo(/** @type {any} */ (command), parts)
        return target && target.column === column && target.row === row
      })
  const pointed = leads && JSON.stringify(leads.command) === parts.ui.pointed
  const act = leads
    ? {
        role: 'button',
        tabindex: '0',
        'aria-label': leads.text,
        ...pressed(() => void parts.draft.press(leads.command, leads.text ?? '')),
      }
    : {}
  return h('rect', {
    key: `s${column}${row}`,
    class: `space${column === 20 ? ' final' : ''}${leads ? ' target' : ''}${pointed ? ' pointed' : ''}`,
    x: x(column) + 1,
    y: y(row) + 1,
    width: WIDE - 3,
    height: HIGH - 3,
    rx: 2,
    ...act,
  })
}

/**
 * Returns the space to which a command moves the player's factory.
 * @param {any} command
 * @param {Parts} parts
 */
function leadsTo(command, { state, me }) {
  const company = state.companies[me ?? -1]
  if (!company) return null
  const by = command.advisor ? 2 : 1
  if (command.type === 'grow') return { column: company.column + by, row: company.row }
  if (command.type === 'adjust_workforce')
    return { column: company.column, row: company.row + (command.direction === 'hire' ? by : -by) }
  return null
}

/** Positions of factories at the player's last act. @param {Parts} parts */
function trails({ state, since }) {
  return state.companies.map((/** @type {any} */ { seat, column, row }) => {
    const old = since?.companies[seat]
    if (!old || (old.column === column && old.row === row)) return null
    const from = `${x(old.column) + WIDE / 2} ${y(old.row) + HIGH / 2}`
    return h(
      'g.trail',
      { key: `t${seat}` },
      h('path', { class: `line-seat-${seat}`, d: `M${from}L${x(column) + WIDE / 2} ${y(row) + HIGH / 2}` }),
      h('circle', {
        class: `fill-seat-${seat}`,
        cx: x(old.column) + WIDE / 2,
        cy: y(old.row) + HIGH / 2,
        r: 5,
      }),
    )
  })
}

/** @param {Parts} parts */
function factories({ state, before }) {
  /** @type {Map<string, any[]>} */
  const spaces = new Map()
  for (const company of state.companies) {
    const name = `${company.column} ${company.row}`
    spaces.set(name, [...(spaces.get(name) ?? []), company])
  }
  const standing = [...spaces.values()]
    .flatMap((companies) =>
      companies.map((company, at) => {
        const [dx = 0, dy = 0] = PLACES[companies.length - 1]?.[at] ?? []
        return {
          company,
          left: x(company.column) + WIDE / 2 + dx,
          top: y(company.row) + HIGH / 2 + dy,
          small: companies.length > 1,
        }
      }),
    )
    .sort((a, b) => a.company.seat - b.company.seat)
  return standing.map(({ company, left, top, small }) => {
    const old = before?.companies[company.seat]
    const moved = old && (old.column !== company.column || old.row !== company.row)
    return [
      moved &&
        h('path', {
          key: `o${company.seat}`,
          class: `old-place line-seat-${company.seat}`,
          d: factoryPath,
          transform: `translate(${x(old.column) + WIDE / 2} ${y(old.row) + HIGH / 2})`,
        }),
      h(
        'g',
        {
          key: `f${company.seat}`,
          class: `factory${moved ? ' drafted' : ''}`,
          style: { transform: `translate(${left}px, ${top}px) scale(${small ? 0.74 : 1})` },
        },
        h('path', { class: `fill-seat-${company.seat}`, d: factoryPath }),
        h('path.mark', { d: shapePath(company.seat, -4, 7, 5.5) }),
      ),
    ]
  })
}

/** A factory about its middle. */
const factoryPath = 'M-20 17V-3l10 5v-5l10 5v-5l5 2.500V-17h9V17z'
