// The board: the ring, the road of the pawns, the province in the middle, and the dice.

import { shapePath } from '../../base/icons.js'
import { isStill } from '../../base/store.js'
import { h, pressed } from '../../base/view.js'
import { t } from '../../base/words.js'
import { isIdle } from '../../table/tray.js'
import { details } from './details.js'
import { INNER, PLACES, ROAD, SIZE } from './geometry.js'
import { province } from './province.js'
import { lines, square } from './square.js'
import { strip } from './strip.js'
import { composed } from './trade.js'

/** @typedef {import('../../table/page.js').Parts} Parts */

/** @param {Parts} parts */
export const board = (parts) =>
  h(
    'section.board-box',
    { id: 'board', tabindex: '-1', 'aria-labelledby': 'board-title' },
    h('h2.unseen', { id: 'board-title' }, t('board')),
    h('div.ring', null, ring(parts), details(parts)),
    strip(parts),
    parts.scrubber,
  )

/** @param {Parts} parts */
export function ring(parts) {
  const { state, catalogue, table } = parts
  const trade = composed(parts)
  const said = state.seats
    .map(
      (/** @type {any} */ { seat, square: at }) =>
        `${table.name(seat)}: ${catalogue?.squares[at]?.name ?? at}`,
    )
    .join('. ')
  return h(
    'svg.board',
    { viewBox: `-1 -1 ${SIZE + 2} ${SIZE + 2}`, role: 'group', 'aria-label': said },
    h('rect.road', {
      x: INNER.from,
      y: INNER.from,
      width: INNER.to - INNER.from,
      height: INNER.to - INNER.from,
    }),
    h('rect.lane', {
      x: INNER.from + ROAD / 2,
      y: INNER.from + ROAD / 2,
      width: INNER.to - INNER.from - ROAD,
      height: INNER.to - INNER.from - ROAD,
      rx: 6,
    }),
    province(parts),
    PLACES.map((place, no) => square(parts, no, place, trade)),
    plaza(parts),
    trails(parts),
    pawns(parts),
  )
}

/** @param {Parts} parts */
function plaza(parts) {
  const { state, catalogue, legal, draft } = parts
  const middle = SIZE / 2
  const roll = isIdle(parts) ? undefined : legal.find(({ command }) => command.type === 'roll')
  const last = state.dice ? { dice: state.dice, event: state.event } : state.last_turn
  const event = catalogue?.events.find(({ id }) => id === (state.event ?? (state.dice ? null : last?.event)))
  const here = state.seats[state.turn_seat]?.square
  return h(
    'g.plaza',
    { class: roll ? 'can' : null, 'aria-hidden': roll ? null : 'true' },
    h('circle', { cx: middle, cy: middle, r: 74 }),
    (last?.dice ?? []).map((/** @type {number} */ face, /** @type {number} */ at) =>
      die(face, middle - 42 + at * 44, middle - 34, state.dice !== null),
    ),
    lines(here === undefined ? '' : (catalogue?.squares[here]?.name ?? ''), 16).map((line, at) =>
      h('text', { x: middle, y: middle + 26 + at * 16 }, line),
    ),
    event && h('text.event-name', { x: middle, y: middle - 46 }, event.name),
    // The button lies over the text, which is not its name.
    roll &&
      h('circle.press', {
        cx: middle,
        cy: middle,
        r: 74,
        role: 'button',
        tabindex: '0',
        'aria-label': roll.text,
        ...pressed(() => void draft.press(roll.command, roll.text ?? '')),
      }),
  )
}

/** Positions of the pips of each face. */
const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]]

/** @param {number} face @param {number} x @param {number} y @param {boolean} isNow */
const die = (face, x, y, isNow) =>
  h(
    'g',
    { key: `die${x}${face}`, class: isNow ? 'die' : 'die old' },
    h('rect', { x, y, width: 38, height: 38, rx: 7 }),
    (PIPS[face] ?? []).map((pip) =>
      h('circle', { cx: x + 10 + (pip % 3) * 9, cy: y + 10 + Math.floor(pip / 3) * 9, r: 3.4 }),
    ),
  )

/** Pawns on the same square are side by side. @param {Parts} parts */
function pawns({ state, table }) {
  return state.seats
    .filter((/** @type {any} */ { eliminated }) => !eliminated)
    .map((/** @type {any} */ { seat, square: at }) => {
      const place = PLACES[at]
      if (!place) return null
      const others = state.seats.filter((/** @type {any} */ one) => one.square === at && !one.eliminated)
      const no = others.findIndex((/** @type {any} */ one) => one.seat === seat)
      const by = (no - (others.length - 1) / 2) * 17
      const flat = place.side === 'bottom' || place.side === 'top'
      return h(
        'g',
        {
          key: `pawn${seat}`,
          class: `pawn${seat === state.turn_seat ? ' turn' : ''}`,
          'data-square': String(at),
          made: walks,
          style: {
            transform: `translate(${place.laneX + (flat ? by : 0)}px, ${place.laneY + (flat ? 0 : by)}px)`,
          },
        },
        h('title', null, table.name(seat)),
        h('path.under', { d: shapePath(seat, 0, 2.5, 10.5) }),
        h('path', { class: `fill-seat-${seat}`, d: shapePath(seat, 0, 0, 10.5) }),
      )
    })
}

/** Paths of other pawns since the player's last turn. @param {Parts} parts */
function trails({ table, past, me }) {
  if (me === null || past.seq !== null || table.seen < 0) return null
  return table.items
    .filter(({ seq, seat }) => seq > table.seen && seat !== me)
    .flatMap(({ seat, events }) =>
      events.flatMap((event) => {
        const place =
          event.type === 'pawn_moved' && 'square' in event ? PLACES[Number(event.square)] : undefined
        return place
          ? [h('circle', { class: `trail fill-seat-${seat}`, cx: place.laneX, cy: place.laneY, r: 4 })]
          : []
      }),
    )
}

/** Animates a pawn to its new square, unless animations are off. @param {Element} pawn */
function walks(pawn) {
  let from = Number(pawn.getAttribute('data-square'))
  new MutationObserver(() => {
    const to = Number(pawn.getAttribute('data-square'))
    const steps = (to - from + PLACES.length) % PLACES.length
    const way = Array.from({ length: steps + 1 }, (_, step) => PLACES[(from + step) % PLACES.length])
    from = to
    // Pawns do not walk back in time, or to VIA by an event.
    if (isStill() || steps === 0 || steps > 24) return
    pawn.animate(
      way.map((place) => ({ transform: `translate(${place?.laneX ?? 0}px, ${place?.laneY ?? 0}px)` })),
      { duration: Math.min(1000, steps * 90) },
    )
  }).observe(pawn, { attributes: true, attributeFilter: ['data-square'] })
}
