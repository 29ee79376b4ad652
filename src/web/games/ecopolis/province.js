// The province: eight areas around the plaza, each next to its squares, with owners.

import { shape } from '../../base/icons.js'
import { h } from '../../base/view.js'
import { t } from '../../base/words.js'
import { INNER, ROAD, SIZE } from './geometry.js'

/** @typedef {import('../../table/page.js').Parts} Parts */

const MIDDLE = SIZE / 2
const REACH = (INNER.to - INNER.from) / 2 - ROAD - 12

/**
 * The coast: a rounded square, drawn slightly by hand.
 * @param {number} turn in eighths from the right, clockwise
 */
function coast(turn) {
  const angle = (turn * Math.PI) / 4
  const cos = Math.cos(angle),
    sin = Math.sin(angle)
  const radius = REACH / (Math.abs(cos) ** 5 + Math.abs(sin) ** 5) ** 0.2
  const waves = 1 - 0.018 * Math.sin(turn * 7.3) - 0.014 * Math.cos(turn * 11.7)
  return [MIDDLE + radius * waves * cos, MIDDLE + radius * waves * sin]
}

/** Start of an area in eighths. The first is at the bottom, right of the middle. @param {number} area */
const begins = (area) => 1 + area

const point = (/** @type {number[]} */ [x = 0, y = 0]) => `${x.toFixed(1)} ${y.toFixed(1)}`

/** A border between two areas, from the middle out, a little bent. @param {number} turn */
function border(turn) {
  const [x = 0, y = 0] = coast(turn)
  const bend = 14 * (turn % 2 ? 1 : -1)
  const at = (/** @type {number} */ part, /** @type {number} */ aside) => [
    MIDDLE + (x - MIDDLE) * part - ((y - MIDDLE) / REACH) * aside,
    MIDDLE + (y - MIDDLE) * part + ((x - MIDDLE) / REACH) * aside,
  ]
  return [at(0.4, bend), at(0.72, -bend)]
}

const SHAPES = Array.from({ length: 8 }, (_, area) => {
  const from = begins(area),
    steps = 14
  const [a = [], b = []] = border(from),
    [c = [], d = []] = border(from + 1)
  const shore = Array.from({ length: steps + 1 }, (_, step) => `L${point(coast(from + step / steps))}`).join(
    '',
  )
  return `M${MIDDLE} ${MIDDLE}C${point(a)} ${point(b)} ${point(coast(from))}${shore}C${point(d)} ${point(c)} ${MIDDLE} ${MIDDLE}z`
})

/** Positions of the areas' names. */
const NAMES = Array.from({ length: 8 }, (_, area) => {
  const [x = 0, y = 0] = coast(begins(area) + 0.5)
  return { x: MIDDLE + (x - MIDDLE) * 0.66, y: MIDDLE + (y - MIDDLE) * 0.64 }
})

/** Symbols of the areas: hills, fields, a tower. @type {Record<number, string>} */
const TEXTURES = {
  0: 'M-60 48l12-18 12 18M-44 42l10-14 12 20M28 50l13-20 14 20M46 42l10-12 12 18',
  1: 'M-56 46l12-18 12 18M-36 48l9-13 9 13M34 46l12-18 12 18',
  2: 'M-66 38q12-16 24 0M-50 34q12-16 24 0M44 40q12-16 24 0',
  3: 'M-70-26l22-9M-66-18l22-9M36 40l22-9M40 48l22-9',
  4: 'M-14-60v26h10v-26l-5-12zM-4-48h16v14h-16',
  5: 'M34-50l26-9M38-42l26-9M-62-40l22-8M-58-32l22-8',
  6: 'M42-42l24-9M46-34l24-9M40 46l24-9',
  7: 'M40 40q12-16 24 0M24 44q12-16 24 0M-64 36q12-14 24 0',
}

/** @param {Parts} parts */
export function province({ state, catalogue }) {
  const edge = INNER.from + ROAD
  return h(
    'g.province',
    { 'aria-hidden': 'true' },
    h('rect.country', { x: edge, y: edge, width: SIZE - 2 * edge, height: SIZE - 2 * edge, rx: 10 }),
    SHAPES.map((d, area) => h('path', { class: `land area-${area}`, d })),
    h('path.river', { d: `M${MIDDLE - 92} ${edge + 14}c26 60-12 92 2 150s-14 104 8 170 2 70 10 112` }),
    h('path.river', { d: `M${MIDDLE + 92} ${edge + 14}c-22 70 18 90 2 150s14 104-8 160-4 80-12 122` }),
    (catalogue?.areas ?? []).map(({ id, name }, no) => area(id, name, no, state, catalogue)),
  )
}

/** @param {string} id @param {string} name @param {number} no @param {any} state @param {import('../../types.d.ts').Catalogue | null} catalogue */
function area(id, name, no, state, catalogue) {
  const own = (catalogue?.territories ?? []).filter((one) => one.area === id)
  const now = own.map((card) => state.territories.find((/** @type {any} */ one) => one.id === card.id))
  const { x, y } = NAMES[no] ?? { x: 0, y: 0 }
  const words = name.replace('Area del ', '').split(' ')
  const done = now.reduce((sum, one) => sum + (one?.actions_done ?? 0), 0)
  const owner = now[0]?.owner ?? null
  const isWhole = owner !== null && now.every((one) => one?.owner === owner)
  const bonus = own.reduce((sum, card) => sum + card.bonus, 0)
  const top = y - (words.length - 1) * 9
  return h(
    'g',
    { key: id },
    h('path.texture', { d: TEXTURES[no] ?? '', transform: `translate(${x} ${y})` }),
    words.map((word, at) => h('text.area-name', { x, y: top + at * 18 }, word)),
    now.map((one, at) => {
      const left = x + (at - 1) * 34
      const low = top + words.length * 18 + 2
      return [
        one?.owner === null || one?.owner === undefined
          ? h('circle.free-mark', { cx: left, cy: low, r: 5.5 })
          : shape(one.owner, left, low, 6),
        Array.from({ length: 4 }, (_, pip) =>
          h('rect', {
            class: pip < (one?.actions_done ?? 0) ? 'pip on' : 'pip',
            x: left - 13 + pip * 6.6,
            y: low + 10,
            width: 5.8,
            height: 5.8,
          }),
        ),
      ]
    }),
    isWhole &&
      h(
        'text.area-bonus',
        { x, y: top + words.length * 18 + 34 },
        t('area_done', { n: done, bonus: `+${bonus}` }),
      ),
  )
}
