// A square of the ring: a territory with its slots and its owner, an event, CO₂, or VIA.

import { drawn, shape } from '../../base/icons.js'
import { h, pressed } from '../../base/view.js'
import { number, t } from '../../base/words.js'
import { isIdle } from '../../table/tray.js'
import { explain } from './details.js'
import { leadStrip } from './strip.js'
import { inTrade } from './trade.js'

/** @typedef {import('../../table/page.js').Parts} Parts */
/** @typedef {import('./geometry.js').Place} Place */

/** @param {Parts} parts @param {number} no @param {Place} place @param {any} trade what is put together of one, if anything */
export function square(parts, no, place, trade) {
  const known = parts.catalogue?.squares[no]
  if (!known) return null
  if (known.kind === 'territory') return territory(parts, known.territory ?? '', place, trade)
  const middle = { x: place.x + place.wide / 2, y: place.y + place.high / 2 }
  const box = h('rect', {
    class: `square ${known.kind}`,
    x: place.x,
    y: place.y,
    width: place.wide,
    height: place.high,
  })
  // On a small screen the ring is an overview, and leads to where its squares are read.
  const read = {
    key: `s${no}`,
    class: 'explained',
    onclick: () => {
      leadStrip(no)
      explain(parts, no)
    },
  }
  if (known.kind === 'event') {
    const flat = place.wide < place.high
    return h(
      'g',
      read,
      h(
        'title',
        null,
        t('event_square', {
          action: parts.catalogue?.cards.find(({ id }) => id === known.action)?.name ?? '',
        }),
      ),
      box,
      drawn('star', middle.x - 10 - (flat ? 0 : 17), middle.y - 10 - (flat ? 17 : 0), 20, 'star'),
      drawn(known.action ?? '', middle.x - 10 + (flat ? 0 : 17), middle.y - 10 + (flat ? 17 : 0), 20),
    )
  }
  const size = place.isCorner ? 34 : 24
  return h(
    'g',
    read,
    box,
    known.kind === 'start'
      ? [
          h('path.line.thick', { d: `M${place.x + place.wide - 14} ${place.y + 16}h-50m8-6-8 6 8 6` }),
          h('text.via', { x: middle.x, y: middle.y + 12 }, known.name),
          h('text.tiny', { x: middle.x, y: middle.y + 28 }, 'CO₂'),
        ]
      : [
          drawn('cloud', middle.x - size / 2, middle.y - size / 2 - 7, size),
          h(
            'text',
            {
              class: place.isCorner ? 'co2 large' : 'co2',
              x: middle.x,
              y: middle.y + (place.isCorner ? 26 : 17),
            },
            'CO₂',
          ),
        ],
  )
}

/** Shortens a name for a square. @param {string} name */
const short = (name) =>
  name
    .replace('Villaggio Artigiano', 'Vill. Artig.')
    .replace('nel Frignano', 'nel Frign.')
    .replace('Campogalliano', 'Campo- galliano')
    .replace('Castelfranco', 'Castel- franco')

/** Breaks a text into lines. @param {string} text @param {number} most how long a line may be */
export function lines(text, most) {
  /** @type {string[]} */
  const out = []
  for (const word of text.split(' ')) {
    const last = out.at(-1)
    if (last !== undefined && `${last} ${word}`.length <= most) out[out.length - 1] = `${last} ${word}`
    else out.push(word)
  }
  return out.slice(0, 4)
}

/** Returns the legal command for a territory. @param {Parts} parts @param {string} id */
export function commandFor({ legal, state, catalogue }, id) {
  const bought = legal.find(({ command }) => command.type === 'buy_territory')
  const here = catalogue?.squares[state.seats[state.turn_seat]?.square]?.territory
  if (bought && here === id) return bought
  return legal.find(
    ({ command }) =>
      (command.type === 'implement_action' || command.type === 'return_territory') &&
      'territory' in command &&
      command.territory === id,
  )
}

/** @param {Parts} parts @param {string} id @param {Place} place @param {any} trade */
function territory(parts, id, place, trade) {
  const { state, before, since, catalogue, table, ui, draft } = parts
  const card = catalogue?.territories.find((one) => one.id === id)
  const now = state.territories.find((/** @type {any} */ one) => one.id === id)
  if (!card || !now) return null
  const old = before?.territories.find((/** @type {any} */ one) => one.id === id)
  const isDrafted = old && (old.owner !== now.owner || old.actions_done !== now.actions_done)
  const then = before ? null : since?.territories.find((/** @type {any} */ one) => one.id === id)
  const isFresh = then && (then.owner !== now.owner || then.actions_done !== now.actions_done)
  const area = catalogue?.areas.findIndex((one) => one.id === card.area) ?? 0
  const isHere = state.seats[state.turn_seat]?.square === card.square && state.phase !== 'finished'
  const can = commandFor(parts, id)
  const { x, y, wide, high, side } = place
  const inside = 37
  const slots = {
    bottom: { x, y, w: wide, h: inside },
    top: { x, y: y + high - inside, w: wide, h: inside },
    left: { x: x + wide - inside, y, w: inside, h: high },
    right: { x, y, w: inside, h: high },
  }[side]
  const text = {
    bottom: { x: x + wide / 2, y: y + inside + 16 },
    top: { x: x + wide / 2, y: y + 16 },
    left: { x: x + (wide - inside) / 2, y: y + 18 },
    right: { x: x + inside + (wide - inside) / 2, y: y + 18 },
  }[side]
  const foot = {
    x: text.x,
    y: side === 'bottom' ? y + high - 8 : side === 'top' ? y + high - inside - 7 : y + high - 9,
  }
  const owner = now.owner === null ? t('free') : table.name(now.owner)
  const said = `${card.name}. ${owner}. ${t('actions')}: ${now.actions_done}/4`
  const traded = isIdle(parts) ? null : inTrade(parts, trade, id, now.owner)
  const press = traded
    ? traded.press
    : can && !isIdle(parts)
      ? () => void draft.press(can.command, can.text ?? '')
      : null
  const act = press
    ? {
        role: 'button',
        tabindex: '0',
        'aria-pressed': traded ? String(traded.isIn) : null,
        ...pressed(press),
      }
    : {}
  const lead = () => {
    leadStrip(card.square)
    if (press) press()
    else explain(parts, card.square)
  }
  const pointed = can && ui.pointed === JSON.stringify(can.command)
  return h(
    'g',
    {
      key: `t${id}`,
      class: [
        'territory explained',
        (can || traded) && 'can',
        isHere && 'here',
        pointed && 'pointed',
        (isDrafted || traded?.isIn) && 'drafted',
        isFresh && 'fresh-square',
      ]
        .filter(Boolean)
        .join(' '),
      ...act,
      onclick: lead,
    },
    h('title', null, traded ? t('in_trade', { name: card.name }) : (can?.text ?? said)),
    h('rect', {
      class: `square${now.owner === null ? '' : ` owned-${now.owner}`}`,
      x,
      y,
      width: wide,
      height: high,
    }),
    h('rect', { class: `area-${area}`, x: slots.x, y: slots.y, width: slots.w, height: slots.h }),
    card.slots.map((action, at) => slot(action, at, now.actions_done, slots)),
    lines(short(card.name), 11).map((line, at) => h('text.town', { x: text.x, y: text.y + at * 13 }, line)),
    now.owner === null
      ? h('text.price', foot, number(card.price))
      : [
          shape(now.owner, foot.x - 16, foot.y - 4, 5.5),
          h('text.rent', { x: foot.x + 8, y: foot.y }, number(now.rent)),
        ],
    h('rect.frame', { x: x + 1.5, y: y + 1.5, width: wide - 3, height: high - 3 }),
  )
}

/** @param {string} action @param {number} at @param {number} done @param {{x: number, y: number, w: number, h: number}} box */
function slot(action, at, done, { x, y, w, h: high }) {
  const cx = x + (w / 2) * ((at % 2) + 0.5)
  const cy = y + (high / 2) * (Math.floor(at / 2) + 0.5)
  return h(
    'g',
    { class: `slot${at < done ? ' done' : at === done ? ' next' : ''}` },
    h('circle', { cx, cy, r: 8.8 }),
    drawn(action, cx - 6.6, cy - 6.6, 13.2),
  )
}
