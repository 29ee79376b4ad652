// The line of all entries.

import { oneAtATime } from '../base/asking.js'
import { icon } from '../base/icons.js'
import { links, whole } from '../base/route.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { session } from '../base/store.js'
import { copy } from '../home/parts.js'
import { playOn } from './exploration.js'

/**
 * Returns whether explorations are allowed: for players in a running game, later for every player.
 * @param {import('./model.js').Table} table
 */
const mayPlayOn = ({ game, me }) =>
  session.get() !== null && (game?.status === 'finished' || (game?.status === 'running' && me() !== null))

/**
 * Starts an exploration against bots from the player's own seat.
 * @param {import('./model.js').Table} table
 * @param {number} seq
 */
const onFrom = (table, seq) =>
  table.ask(async () => {
    const seats = table.game?.seats.length ?? 2
    const begun =
      table.items.find(({ events }) =>
        events.some(({ type }) => type === 'game_started' || type === 'round_started'),
      )?.seq ?? seq
    await playOn(table.id, Math.max(seq, begun), seats, table.me() ?? 0, 'middle')
  })

/** @param {import('./model.js').Table} table @param {import('./past.js').Past} past */
export function scrubber(table, past) {
  const last = table.items.at(-1)?.seq ?? 0
  const here = Math.min(past.seq ?? last, last)
  const rounds = past.rounds()
  const round = rounds.findLast(({ seq }) => seq <= here)?.round ?? 0
  const said = `${t('entry_of', { seq: here, of: last })} · ${past.seq === null ? `${t('now')}, ` : ''}${round ? t('round', { n: round }) : t('before_start')}`
  // Ticks that fit; the first of each kind keeps its number.
  const every = Math.ceil(rounds.length / 9)
  /** @param {string} name @param {import('../base/icons.js').IconName} sign @param {number} to @param {boolean} off */
  const step = (name, sign, to, off) =>
    h(
      'button.quiet',
      { type: 'button', 'aria-label': name, title: name, disabled: off, onclick: () => past.to(to) },
      icon(sign),
    )
  return h(
    'section.scrubber',
    { key: 'scrubber', 'aria-labelledby': 'past-title' },
    h('h2.unseen', { id: 'past-title' }, t('the_past')),
    h(
      'div.scrub-steps',
      null,
      step(t('first_entry'), 'first', 0, here === 0),
      step(t('entry_back'), 'back', here - 1, here === 0),
      step(t('entry_on'), 'forward', here + 1, here === last),
      step(t('to_now'), 'last', last, past.seq === null),
    ),
    h(
      'div.scrub-line',
      null,
      h('input', {
        type: 'range',
        min: '0',
        max: String(last),
        value: String(here),
        'aria-label': t('entry'),
        'aria-valuetext': said,
        oninput: (/** @type {any} */ event) => past.to(Number(event.target.value)),
      }),
      h(
        'ol',
        { 'aria-hidden': 'true' },
        rounds
          .filter((_, at) => at % every === 0)
          .map(({ seq, round: no }) =>
            h('li', { key: String(no), style: { left: `${last ? (seq / last) * 100 : 0}%` } }, no),
          ),
      ),
    ),
    h('span.scrub-at', null, said),
    mayPlayOn(table) &&
      h(
        'button.quiet',
        {
          type: 'button',
          ...oneAtATime(table),
          title: t('play_on_help'),
          onclick: () => void onFrom(table, here),
        },
        icon('branch'),
        h('span', null, t('play_on_from_here')),
      ),
    h(
      'button.quiet',
      {
        type: 'button',
        onclick: (/** @type {Event} */ event) =>
          void copy(whole(links.table(table.id, here)), event, t('link_copied')),
      },
      icon('link'),
      h('span', null, t('link')),
    ),
  )
}
