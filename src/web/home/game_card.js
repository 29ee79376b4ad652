// A game at home: its board, who sits there, the last move, and the one button that matters.

import { icon, seatShape } from '../base/icons.js'
import { inbox } from '../base/inbox.js'
import { links } from '../base/route.js'
import { session } from '../base/store.js'
import { isSoon, leftOfMove } from '../base/time.js'
import { h } from '../base/view.js'
import { list, t } from '../base/words.js'
import { nameOf, others, rematchWaits } from './parts.js'
import { thumbnail } from './thumbnail.js'

/** @typedef {import('../types.d.ts').Game} Game */

/**
 * Further facts of a game: what the player must do, the time bank, and the last move.
 * @typedef {{prompt: string, bank: number, last: string}} Facts
 */

/** @param {Game} game */
const people = (game) =>
  h(
    'ul.people',
    null,
    game.seats.map(({ seat, player }) =>
      h(
        'li',
        { key: String(seat), class: game.to_act.includes(seat) ? 'now' : null },
        seatShape(seat, !player),
        player ? nameOf(player) : h('span.minor', null, t('nobody')),
      ),
    ),
  )

/** Returns what a game waits for, or how it ended. @param {Game} game */
function stateOf(game) {
  const taken = game.seats.filter(({ player }) => player).length
  const me = session.get()?.player.id
  const mySeat = game.seats.find(({ player }) => player?.id === me)?.seat
  const place = game.result?.find(({ seat }) => seat === mySeat)?.place
  const deciding = game.seats
    .filter(({ seat }) => game.to_act.includes(seat))
    .map(({ player }) => player?.name ?? t('somebody'))
  switch (game.status) {
    case 'open':
      return t('table_open', { n: taken, of: game.seats.length })
    case 'sealed':
      return t('table_sealed')
    case 'void':
      return t('ended_void')
    case 'finished':
      return place ? t('result_place', { n: place }) : t('ended_abandoned')
    default:
      return t('waits_for', { names: list(deciding) })
  }
}

/**
 * @param {Game} game
 * @param {{name: string, facts: Facts | undefined, isMyTurn: boolean, redraw: () => void}} more
 */
export function gameCard(game, { name, facts, isMyTurn, redraw }) {
  const me = session.get()?.player.id
  const isMine = game.seats.some(({ player }) => player && player.id === me)
  const open = t(isMyTurn ? 'play' : game.status === 'finished' ? 'result' : isMine ? 'open_game' : 'look')
  const called = `${name}, ${others(game)}`
  const hasRematch = inbox.rematches.has(game.id)
  const soon = game.deadline && isSoon(game.deadline, game.clock)
  return h(
    'li.game-card',
    { key: game.id, class: isMyTurn || hasRematch ? 'mine' : null },
    h(
      'a.thumb-link',
      { href: links.table(game.id), tabindex: '-1', 'aria-hidden': 'true' },
      thumbnail(game, redraw),
    ),
    h(
      'div.what',
      null,
      h(isMyTurn || hasRematch ? 'h2' : 'h3', null, name, game.title && [': ', h('bdi', null, game.title)]),
      people(game),
      h(
        'p',
        null,
        h('bdi', { dir: 'ltr' }, hasRematch ? rematchWaits(game) : facts?.prompt || stateOf(game)),
      ),
      facts?.last && h('p.small.last', null, h('bdi', { dir: 'ltr' }, facts.last)),
      inbox.spoken.has(game.id) && h('p.small', null, icon('chat'), ' ', t('new_messages')),
    ),
    h(
      'div.act',
      null,
      isMyTurn &&
        game.deadline &&
        h(
          'span',
          { class: soon ? 'left soon' : 'left' },
          icon('clock'),
          leftOfMove(game.deadline, facts?.bank ?? 0).text,
          soon && `, ${t('soon')}`,
        ),
      h(
        'a.button',
        {
          href: links.table(game.id),
          class: isMyTurn || hasRematch ? 'main' : null,
          'aria-label': isMyTurn ? t('play_named', { game: called }) : `${open}: ${called}`,
        },
        open,
      ),
    ),
  )
}
