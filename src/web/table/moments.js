// Moments: events that a player must not miss, such as an accident or a rent. Each has a sign in the log; grave
// ones are shown over the board while they are played, and above it where nothing moves.

import { icon, seatShape } from '../base/icons.js'
import { isStill } from '../base/store.js'
import { h } from '../base/view.js'
import { list, t } from '../base/words.js'
import { printOf } from '../games/prints.js'

/** @typedef {import('./page.js').Parts} Parts */
/** @typedef {import('../types.d.ts').EventItem} EventItem */

/**
 * A moment: its sign, whether it is good or bad, and whether it is shown over the board. `seats` are those that
 * it strikes, `felt` is what it means for the viewer's seat.
 * @typedef {{sign: import('../base/icons.js').IconName, mood?: 'good' | 'bad', grave?: boolean, seats?: number[], felt?: string | null}} Moment
 */

/** @param {any} event @param {number | null} me @param {string} ruleset @returns {Moment | null} */
export const momentOf = (event, me, ruleset) => printOf(ruleset).moment?.(event, me) ?? null

/** @param {EventItem} item @param {import('./model.js').Table} table */
export const isGrave = ({ events }, table) =>
  events.some((event) => momentOf(event, table.me(), table.game?.ruleset ?? '')?.grave)

/** Returns the sign of an event with the seats that it strikes. @param {Moment} moment */
export const signOf = ({ sign, seats = [] }) => [icon(sign), seats.map((seat) => seatShape(seat))]

/** Returns what the moments of some entries mean for the player, in sentences. @param {Parts} parts */
export function feltSince({ table, me }) {
  if (me === null || table.seen < 0) return ''
  const said = table.items
    // The own last move may have had consequences as well.
    .filter(({ seq }) => seq >= table.seen)
    .flatMap(({ events }) => events.map((event) => momentOf(event, me, table.game?.ruleset ?? '')?.felt))
    .filter((text) => typeof text === 'string')
  return said.slice(-3).join(' ')
}

/**
 * Shows grave moments: of the entry that is played, or since the player's last move if nothing is played.
 * @param {Parts} parts
 */
export function banner({ table, playback, past, me, ui, redraw }) {
  const ruleset = table.game?.ruleset ?? ''
  const now = playback.now?.item
  // A draft leaves it: the board must not move under the pointer.
  const isLook = past.seq !== null || past.as !== null
  if (!now && (isLook || me === null || !isStill())) return null
  const since = now ? [now] : table.items.filter(({ seq }) => seq > Math.max(table.seen, ui.dismissed))
  const grave = since.flatMap(({ seq, events }) =>
    events.flatMap((event) => {
      const moment = momentOf(event, me, ruleset)
      return moment?.grave ? [{ seq, moment, text: event.text ?? '' }] : []
    }),
  )
  const last = grave.at(-1)
  if (!last || table.game?.status === 'finished') return null
  const shown = grave.filter(({ seq }) => seq === last.seq)
  const mood = shown.some(({ moment }) => moment.mood === 'bad') ? 'bad' : 'good'
  const dismiss = () => {
    ui.dismissed = last.seq
    if (playback.now) playback.stop()
    redraw()
  }
  return h(
    'aside.moment-banner',
    {
      key: `moment ${last.seq}`,
      class: `${mood}${now ? ' over' : ''}`,
      'aria-label': list(shown.map(({ text }) => text)),
    },
    h(
      'span.moment-sign',
      null,
      icon((shown.find(({ moment }) => !moment.seats?.length) ?? shown[0])?.moment.sign ?? 'star'),
    ),
    h(
      'ul',
      null,
      shown.map(({ moment, text }, at) =>
        h(
          'li',
          { key: String(at), class: moment.felt ? 'mine' : null },
          moment.seats?.map((seat) => seatShape(seat)),
          h('bdi', { dir: 'ltr' }, text),
        ),
      ),
    ),
    h('button.quiet', { type: 'button', 'aria-label': t('close'), onclick: dismiss }, icon('cross')),
  )
}
