// The result of a game, line by line, and the course of each seat's score.

import { get, untilHeard } from '../base/api.js'
import { oneAtATime } from '../base/asking.js'
import { seatShape, shape } from '../base/icons.js'
import { links } from '../base/route.js'
import { session } from '../base/store.js'
import { h } from '../base/view.js'
import { day, list, number, t } from '../base/words.js'
import { printOf } from '../games/prints.js'
import { nameOf, rematchWaits } from '../home/parts.js'

/** @typedef {import('./page.js').Parts} Parts */

/** Most points of a curve. */
const MOST_POINTS = 24
const DASHES = ['', '7 4', '2 4', '10 3 2 3']

/** @param {import('./model.js').Table} table @param {import('./past.js').Past} past @param {() => void} redraw */
export function openResult(table, past, redraw) {
  /** Score of each seat at some entries. @type {{seq: number, round: string, worth: number[]}[] | null} */
  let points = null
  let asked = false
  /**
   * The rematch, once loaded. Null if the player may not see it.
   * @type {import('../types.d.ts').Game | null | undefined}
   */
  let again
  /** The entry at which it was loaded. @type {import('../types.d.ts').Game | null} */
  let looked = null

  async function ask() {
    if (asked || !table.game) return
    asked = true
    const { worth, needsEyes } = printOf(table.game.ruleset)
    const starts = past.rounds()
    if (!worth || starts.length === 0) return
    const every = Math.ceil(starts.length / MOST_POINTS)
    const chosen = starts
      .filter((_, at) => at % every === 0)
      .map(({ seq, round }) => ({ seq, round: round === 1 ? t('start') : String(round - 1) }))
    const last = table.items.at(-1)?.seq ?? 0
    chosen.push({ seq: last, round: String(starts.at(-1)?.round ?? '') })
    const seats = table.game.seats.map(({ seat }) => seat)
    const found = await Promise.all(
      chosen.map(async ({ seq, round }) => {
        const views = await Promise.all(
          needsEyes ? seats.map((seat) => past.at(seq, String(seat))) : [past.at(seq, 'spectator')],
        )
        return views.includes(null)
          ? null
          : { seq, round, worth: seats.map((seat) => worth(views[needsEyes ? seat : 0]?.state, seat) ?? 0) }
      }),
    )
    const whole = found.filter((point) => point !== null)
    // An incomplete curve would be wrong.
    points = whole.length === found.length ? whole : null
    redraw()
  }

  async function lookAtRematch() {
    const { game } = table
    if (!game?.rematch || looked === game) return
    looked = game
    again = await untilHeard(() => get(`/v1/games/${game.rematch}`), Infinity).catch(() => null)
    redraw()
  }

  /** @param {Parts} parts */
  function view(parts) {
    void ask()
    void lookAtRematch()
    const { game } = table
    if (!game) return null
    return h('div.result', { key: 'result' }, scores(parts), points && points.length > 1 && curve())
  }

  /** Shows the places, which are outside the rules, and the scores. @returns {any[]} */
  function results() {
    const counted = /** @type {any[]} */ (table.view?.state?.result ?? [])
    return (table.game?.result ?? []).map(({ seat, place }) => ({
      ...counted.find((one) => one.seat === seat),
      seat,
      place,
    }))
  }

  function title() {
    const { game } = table
    if (!game?.result) return t('abandoned')
    const first = game.result.filter(({ place }) => place === 1).map(({ seat }) => table.name(seat))
    const { total, won } = printOf(game.ruleset)
    const best = results()[0]
    if (first.length > 1) return t('share_first', { names: list(first) })
    const name = first[0] ?? ''
    if (game.end === 'resigned') {
      const gone = (table.view?.seats ?? [])
        .filter(({ resigned }) => resigned)
        .map(({ seat }) => table.name(seat))
      return t('wins_resigned', { name, names: list(gone) })
    }
    const count = total?.(best)
    return count === undefined || !won ? t('wins', { name }) : won(name, count, table.view?.state)
  }

  /** @param {Parts} parts */
  function scores(parts) {
    const { game } = table
    const result = results()
    const { rows, total, unit, scoring } = printOf(game?.ruleset ?? '')
    const lines =
      result.length && result.every((entry) => total?.(entry) !== undefined)
        ? (rows?.(parts.catalogue) ?? [])
        : []
    const winner = result[0]?.place === 1 ? result[0].seat : null
    return h(
      'section.sheet.scores',
      { 'aria-labelledby': 'result-title' },
      h(
        'p.small',
        null,
        game?.started_at &&
          game.finished_at &&
          [...new Set([day(game.started_at), day(game.finished_at)])].join(' – '),
      ),
      h(
        'h2',
        { id: 'result-title' },
        winner !== null && seatShape(winner),
        h('bdi', { dir: 'ltr' }, title()),
      ),
      rematch(parts),
      result.length > 0 &&
        h(
          'div.wide',
          { role: 'region', tabindex: '0', 'aria-labelledby': 'result-title' },
          h(
            'table',
            null,
            h(
              'thead',
              null,
              h(
                'tr',
                null,
                h('td', null),
                result.map(({ seat, place }) =>
                  h(
                    'th',
                    { scope: 'col', key: String(seat) },
                    seatShape(seat),
                    ' ',
                    nameOf(table.player(seat)),
                    h('small', null, t('place', { n: place })),
                  ),
                ),
              ),
            ),
            h(
              'tbody',
              null,
              lines.map(([name, of]) =>
                h(
                  'tr',
                  { key: name },
                  h('th', { scope: 'row' }, name),
                  result.map((entry) => h('td', null, number(of(entry)))),
                ),
              ),
              lines.length > 0 &&
                h(
                  'tr.total',
                  null,
                  h('th', { scope: 'row' }, unit?.() ?? ''),
                  result.map((entry) => h('td', null, number(total?.(entry) ?? 0))),
                ),
            ),
          ),
        ),
      lines.length > 0 &&
        scoring &&
        h(
          'p.small',
          null,
          t('how_counted'),
          ' ',
          h('a', { href: links.rules(game?.ruleset ?? '', scoring) }, scoring),
        ),
    )
  }

  /** Shows the rematch: no request yet, a request of others, or an own one. @param {Parts} parts */
  function rematch({ me, menu }) {
    const { game } = table
    const isMine =
      again?.seats.some(({ player }) => player && player.id === session.get()?.player.id) ?? false
    const join = (/** @type {'rematch' | 'rematch_join'} */ text) =>
      h(
        'div.buttons',
        null,
        h('button.main', { type: 'button', ...oneAtATime(table), onclick: menu.rematch }, t(text)),
      )
    if (!game?.rematch) return me !== null && join('rematch')
    if (again === undefined) return null
    if (me !== null && !isMine)
      return [
        h('p', { role: 'status' }, rematchWaits(game, again?.seats.find(({ player }) => player)?.player?.id)),
        join('rematch_join'),
      ]
    return [
      isMine && again?.status === 'open' && h('p', { role: 'status' }, t('rematch_asked')),
      h('div.buttons', null, h('a.button', { href: links.table(game.rematch) }, t('rematch_join'))),
    ]
  }

  /** Selects the perspective. @param {Parts} parts */
  function eyes({ past: { as, see } }) {
    const seats = table.game?.seats ?? []
    /** @param {string | null} who @param {import('../base/view.js').Child} text */
    const eye = (who, text) =>
      h(
        'button',
        { type: 'button', key: String(who), 'aria-pressed': String(as === who), onclick: () => see(who) },
        text,
      )
    return h(
      'div.eyes',
      { role: 'group', 'aria-label': t('seen_by') },
      h('span', null, t('seen_by')),
      eye('spectator', t('everybody')),
      seats.map(({ seat, player }) => eye(String(seat), [seatShape(seat), nameOf(player)])),
    )
  }

  function curve() {
    const all = points ?? []
    const values = all.flatMap(({ worth }) => worth)
    const low = Math.min(0, ...values),
      high = Math.max(1, ...values)
    const step = [1, 2, 5, 10, 20, 50, 100].find((size) => (high - low) / size <= 6) ?? 200
    const bottom = Math.floor(low / step) * step,
      top = Math.ceil(high / step) * step
    const x = (/** @type {number} */ at) => 40 + (at / (all.length - 1)) * 400
    const y = (/** @type {number} */ value) => 20 + ((top - value) / (top - bottom)) * 220
    const last = table.items.at(-1)?.seq ?? 1
    const here = Math.max(
      0,
      all.findLastIndex(({ seq }) => seq <= (past.seq ?? last)),
    )
    const seats = all[0]?.worth.map((_, seat) => seat) ?? []
    const what = printOf(table.game?.ruleset ?? '').curve?.() ?? ''
    const said = seats
      .map((seat) => `${table.name(seat)}: ${all.map(({ worth }) => worth[seat]).join(', ')}`)
      .join('; ')
    const ends = spread(seats.map((seat) => y(all.at(-1)?.worth[seat] ?? 0)))
    return h(
      'section.sheet.curve',
      { 'aria-labelledby': 'curve-title' },
      h('h2', { id: 'curve-title' }, t('how_it_went')),
      h(
        'svg',
        { viewBox: '0 0 560 270', role: 'img', 'aria-label': `${what}. ${said}` },
        Array.from({ length: (top - bottom) / step + 1 }, (_, no) => bottom + no * step).map((value) => [
          h('path.grid', { d: `M40 ${y(value)}H440` }),
          h('text.axis.end', { x: 34, y: y(value) + 4 }, number(value)),
        ]),
        all.map(
          ({ round }, at) =>
            (at % Math.ceil(all.length / 8) === 0 || at === all.length - 1) &&
            h('text.axis.middle', { x: x(at), y: 262 }, round),
        ),
        h('path.cursor', { d: `M${x(here)} 14V244` }),
        seats.map((seat) => [
          h('path', {
            class: `curve-line line-seat-${seat}`,
            'stroke-dasharray': DASHES[seat],
            d: all.map(({ worth }, at) => `${at ? 'L' : 'M'}${x(at)} ${y(worth[seat] ?? 0)}`).join(''),
          }),
          all.map(({ worth }, at) => shape(seat, x(at), y(worth[seat] ?? 0), 4.5)),
          h(
            'text.curve-name',
            { x: 450, y: (ends[seat] ?? 0) + 5 },
            `${table.name(seat).slice(0, 12)} ${number(all.at(-1)?.worth[seat] ?? 0)}`,
          ),
        ]),
      ),
      h('p.small', null, t('curve_help', { what })),
    )
  }

  return { view, eyes }
}

/** Moves overlapping labels apart. @param {number[]} places */
function spread(places) {
  const order = places.map((place, at) => ({ place, at })).sort((a, b) => a.place - b.place)
  order.forEach((one, at) => {
    const before = order[at - 1]
    if (before) one.place = Math.max(one.place, before.place + 16)
  })
  return order.sort((a, b) => a.at - b.at).map(({ place }) => place)
}
