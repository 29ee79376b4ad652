// The log as sentences: by rounds, filtered by seat, with news marked and passes folded.

import { icon, seatShape } from '../base/icons.js'
import { links } from '../base/route.js'
import { h, stick } from '../base/view.js'
import { list, moment, t } from '../base/words.js'
import { momentOf, signOf } from './moments.js'
import { playButton } from './playback.js'
import { isTechnical, lines, parted } from './sentences.js'

/** @typedef {import('./page.js').Parts} Parts */
/** @typedef {import('../types.d.ts').EventItem} EventItem */

const PASSES = new Set(['bid_passed'])

/**
 * Rendered lines, which never change.
 * @type {WeakMap<EventItem, Map<string, import('../base/view.js').VNode>>}
 */
const made = new WeakMap()

/** @param {EventItem} item */
const isPass = ({ events }) => events.length > 0 && events.every(({ type }) => PASSES.has(type))

/** @param {Parts} parts */
export function logPanel(parts) {
  const { table, past, ui, redraw } = parts
  const seats = table.view?.seats ?? table.game?.seats ?? []
  const all = table.items.filter(({ seat }) => ui.filter === null || seat === ui.filter)
  const shown = all.filter((item) => !isTechnical(item))
  const technical = all.filter(isTechnical)
  /** @param {number | null} seat */
  const filter = (seat) =>
    h(
      'button',
      {
        type: 'button',
        key: String(seat),
        'aria-pressed': String(ui.filter === seat),
        'aria-label': seat === null ? t('all') : t('only', { name: table.name(seat) }),
        onclick: () => {
          ui.filter = seat
          redraw()
        },
      },
      seat === null ? t('all') : seatShape(seat),
    )
  return h(
    'div.log-panel',
    null,
    h(
      'div.log-filter',
      { role: 'group', 'aria-label': t('filter_log') },
      filter(null),
      seats.map(({ seat }) => filter(seat)),
    ),
    h(
      'div.log-body',
      { id: 'log', tabindex: '0', role: 'region', 'aria-label': t('log'), made: stick },
      technical.length > 0 &&
        h(
          'details.technical',
          { key: 'technical' },
          h('summary', null, t('technical', { n: technical.length })),
          h(
            'ol',
            null,
            technical.map((item) => line(parts, item, item.seq === past.seq, false)),
          ),
        ),
      rounds(parts, shown, past.seq),
    ),
  )
}

/** @param {Parts} parts @param {EventItem[]} items @param {number | null} here */
function rounds(parts, items, here) {
  /** @type {import('../base/view.js').Child[]} */
  const out = []
  /** @type {import('../base/view.js').Child[]} */
  let lines = []
  let fresh = false
  let group = 0
  const close = () => {
    if (lines.length) out.push(h('ol', { key: `g${group++}`, class: fresh ? 'fresh' : null }, lines))
    lines = []
  }
  const backs = parts.table.items.flatMap(({ seq, events }) =>
    events.flatMap((event) =>
      event.type === 'taken_back' && 'to' in event ? [{ seq, to: Number(event.to) }] : [],
    ),
  )
  for (let at = 0; at < items.length; at += 1) {
    const item = /** @type {EventItem} */ (items[at])
    if (!fresh && parts.table.me() !== null && item.seq > parts.table.seen && parts.table.seen > 0) {
      close()
      fresh = true
      out.push(since(parts))
    }
    const start = item.events.find((event) => event.type === 'round_started')
    let run = at
    while (
      !fresh &&
      run < items.length &&
      isPass(/** @type {EventItem} */ (items[run])) &&
      !parts.ui.unfolded.has(item.seq)
    )
      run += 1
    if (run - at > 1) {
      lines.push(folded(parts, items.slice(at, run)))
      at = run - 1
    } else {
      lines.push(
        line(
          parts,
          item,
          item.seq === here,
          backs.some(({ to, seq }) => to < item.seq && item.seq < seq),
        ),
      )
    }
    if (start && 'round' in start) {
      close()
      out.push(h('h3', { key: `r${start.round}` }, t('round', { n: start.round })))
    }
  }
  close()
  return out
}

/** @param {Parts} parts */
const since = ({ playback }) =>
  h('div.since', { key: 'since' }, h('h3', null, t('since_your_turn')), playButton(playback))

/** @param {Parts} parts @param {EventItem[]} items */
function folded({ table, ui, redraw }, items) {
  const first = items[0]?.seq ?? 0
  const names = [...new Set(items.map(({ seat }) => table.name(seat ?? 0)))]
  const open = () => {
    items.forEach(({ seq }) => ui.unfolded.add(seq))
    redraw()
  }
  return h(
    'li.folded',
    { key: `f${first}` },
    h('span.seq', null, `${first}–${items.at(-1)?.seq ?? first}`),
    h(
      'span',
      null,
      h('bdi', { dir: 'ltr' }, t('others_passed', { n: items.length, names: list(names) })),
      ' ',
      h('button.quiet', { type: 'button', onclick: open }, t('show')),
    ),
  )
}

/**
 * Returns the lines of events. A moment has its sign, and the seats that it strikes.
 * @param {EventItem['events']} events
 * @param {import('./model.js').Table} table
 */
const said = (events, table) =>
  lines(events).map(({ text, event }) => {
    const moment = momentOf(event, table.me(), table.game?.ruleset ?? '')
    return moment
      ? h(
          'div.said.struck-by',
          { class: [moment.mood, moment.felt && 'mine'].filter(Boolean).join(' ') || null },
          h('span.signs', null, signOf(moment)),
          h('bdi', { dir: 'ltr' }, text),
        )
      : h('bdi.said', { dir: 'ltr' }, text)
  })

/** @param {Parts} parts @param {EventItem} item @param {boolean} here @param {boolean} back whether it was taken back later */
function line({ table, ui }, item, here, back) {
  const name = `${here} ${back} ${ui.language}`
  const kept = made.get(item) ?? new Map()
  const known = kept.get(name)
  if (known) return known
  const { about, aside } = parted(item.events)
  const by =
    item.by === 'autopilot'
      ? t('by_autopilot')
      : item.by === 'plan'
        ? t('by_plan')
        : back
          ? t('taken_back')
          : ''
  const node = h(
    'li',
    {
      key: String(item.seq),
      class: [here && 'here', back && 'back'].filter(Boolean).join(' ') || null,
      'aria-current': here ? 'true' : null,
    },
    h(
      'a.seq',
      { href: links.table(table.id, item.seq), 'aria-label': `${t('entry')} ${item.seq}` },
      item.seq,
    ),
    item.seat === null ? h('span', null) : seatShape(item.seat),
    h(
      'div',
      null,
      said(about, table),
      by && h('small', null, ' ', item.by === 'plan' && icon('plan'), by),
      h(
        'div.meta',
        null,
        h('time', { datetime: item.at }, moment(item.at)),
        aside.length > 0 &&
          h('details', null, h('summary', null, t('details', { n: aside.length })), said(aside, table)),
      ),
    ),
  )
  kept.set(name, node)
  made.set(item, kept)
  return node
}
