// People with whom the player has played, to be invited to a table by one press.

import { all, send } from '../base/api.js'
import { asking, oneAtATime } from '../base/asking.js'
import { icon } from '../base/icons.js'
import { session } from '../base/store.js'
import { h } from '../base/view.js'
import { list, t } from '../base/words.js'
import { trouble } from './parts.js'

/** @typedef {import('../types.d.ts').Game} Game */
/** @typedef {{id: string, name: string, met: string}} Acquaintance */

/** People that are shown without a search. */
const SHOWN = 8

/** @param {Game} game @returns {Acquaintance[]} */
const peopleOf = (game) =>
  game.seats.flatMap(({ player }) =>
    player?.name && !player.bot && player.id !== session.get()?.player.id
      ? [{ id: player.id, name: player.name, met: game.id }]
      : [],
  )

/** @param {() => void} redraw */
export function acquaintances(redraw) {
  const asked = asking(redraw)
  /** People, those of the newest games first. @type {Acquaintance[]} */
  let people = []
  /** The others of the newest game with several people. @type {Acquaintance[]} */
  let group = []
  /** Invited players. @type {Set<string>} */
  const invited = new Set()
  let search = ''

  void all('/v1/me/games', 100)
    .then((/** @type {Game[]} */ games) => {
      const begun = games.filter(({ status }) => status === 'running' || status === 'finished')
      people = [
        ...new Map(
          begun
            .flatMap(peopleOf)
            .reverse()
            .map((one) => [one.id, one]),
        ).values(),
      ].reverse()
      group = begun.map(peopleOf).find((others) => others.length > 1) ?? []
      redraw()
    })
    .catch(() => null)

  /** @param {string} game @param {Acquaintance[]} those */
  const invite = (game, those) =>
    asked.ask(async () => {
      for (const { id, met } of those) {
        await send('POST', `/v1/games/${game}/invitations`, { player: id, met_in: met })
        invited.add(id)
      }
    })

  /** @param {Game} game @param {Acquaintance} one */
  const button = (game, one) =>
    h(
      'li',
      { key: one.id },
      h(
        'button',
        {
          type: 'button',
          ...oneAtATime(asked),
          disabled: invited.has(one.id),
          'aria-label': t(invited.has(one.id) ? 'was_invited' : 'invite_named', { name: one.name }),
          onclick: () => void invite(game.id, [one]),
        },
        icon(invited.has(one.id) ? 'tick' : 'person'),
        h('bdi', null, one.name),
      ),
    )

  return {
    /** Shows whom the host of an open table can invite. @param {Game} game */
    view: (game) => {
      const sits = new Set(game.seats.map(({ player }) => player?.id))
      const free = game.seats.filter(({ player }) => !player).length
      const others = people.filter(({ id }) => !sits.has(id))
      const again = group.filter(({ id }) => !sits.has(id) && !invited.has(id))
      const wanted = search.trim().toLowerCase()
      const found = wanted ? others.filter(({ name }) => name.toLowerCase().includes(wanted)) : others
      if (free === 0 || others.length === 0) return null
      return h(
        'section.acquaintances',
        { key: 'acquaintances', 'aria-labelledby': 'invite-people' },
        h('h3', { id: 'invite-people' }, t('invite_people')),
        again.length > 1 &&
          again.length <= free &&
          h(
            'button.main',
            { type: 'button', ...oneAtATime(asked), onclick: () => void invite(game.id, again) },
            t('same_people', { names: list(again.map(({ name }) => name)) }),
          ),
        others.length > SHOWN &&
          h('input', {
            type: 'search',
            'aria-label': t('search_people'),
            placeholder: t('search_people'),
            value: search,
            oninput: (/** @type {any} */ event) => {
              search = event.target.value
              redraw()
            },
          }),
        h(
          'ul.chips',
          null,
          found.slice(0, SHOWN).map((one) => button(game, one)),
        ),
        trouble(asked.problem),
      )
    },
  }
}

/** @typedef {ReturnType<typeof acquaintances>} Acquaintances */
