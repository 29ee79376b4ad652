// Open tables, and games to watch.

import { get, keep } from '../base/api.js'
import { asking, oneAtATime } from '../base/asking.js'
import { go, links } from '../base/route.js'
import { seatOf, sitDown } from '../base/seats.js'
import { session } from '../base/store.js'
import { ofClock } from '../base/time.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { namesOf, rulesets, seatRow, trouble, unusual } from './parts.js'
import { gameCard } from './game_card.js'

/** @typedef {import('../types.d.ts').Game} Game */
/** @typedef {import('../types.d.ts').Ruleset} Ruleset */

const HOUR = 3600

/** A live list of tables with free seats. @param {() => void} redraw */
export function openTables(redraw) {
  /** @type {Game[] | null} */
  let games = null
  /** @type {Ruleset[]} */
  let kinds = []
  let ruleset = ''
  /** @type {'' | 'slow' | 'live'} */
  let clock = ''
  const asked = asking(redraw, load)
  let stopped = false

  async function load() {
    kinds = await rulesets()
    games = (await get(`/v1/games?status=open&limit=100${ruleset && `&ruleset=${ruleset}`}`)).items
    redraw()
  }
  let loading = false
  const reload = () => {
    if (loading) return
    loading = true
    void load()
      .catch(() => null)
      .finally(() => (loading = false))
  }
  reload()
  const again = setInterval(() => !stopped && document.visibilityState === 'visible' && reload(), 15_000)

  /** @param {Game} game */
  const sit = (game) =>
    asked.ask(async () => {
      await sitDown(`/v1/games/${game.id}/seats`, seatOf(game))
      go(links.table(game.id))
    })

  /** @param {string} text @param {boolean} on @param {() => void} choose */
  const filter = (text, on, choose) =>
    h('button', { type: 'button', 'aria-pressed': String(on), onclick: () => (choose(), reload()) }, text)

  const fitting = () =>
    (games ?? []).filter((game) => {
      if (clock === 'slow') return game.clock !== null && game.clock.move_seconds >= HOUR
      return clock !== 'live' || (game.clock !== null && game.clock.move_seconds < HOUR)
    })

  /** @param {Game} game */
  function said(game) {
    const more = [
      game.takebacks && t('takebacks'),
      game.substitutes && t('substitutes'),
      ...unusual(
        game.options,
        kinds.find(({ id }) => id === game.ruleset),
      ),
    ]
    return more.filter(Boolean).join(', ') || t('none')
  }

  /** @param {Game} game */
  function row(game) {
    const me = session.get()?.player.id
    const host = game.seats.find(({ player }) => player)?.player
    const isMine = game.seats.some(({ player }) => player && player.id === me)
    const called = game.title ?? t('table_of', { name: host?.name ?? t('somebody') })
    return h(
      'tr',
      { key: game.id },
      h(
        'th',
        { scope: 'row' },
        h('span', { class: `dot print-${game.ruleset}` }),
        kinds.find(({ id }) => id === game.ruleset)?.name ?? game.ruleset,
        h('small', null, h('bdi', null, called)),
      ),
      h('td', null, seatRow(game), h('small', null, ' ', h('bdi', { dir: 'ltr' }, namesOf(game)))),
      h('td', null, ofClock(game.clock)),
      h('td.minor', null, said(game)),
      h(
        'td.end',
        null,
        isMine || !me
          ? h(
              'a.button',
              { href: links.table(game.id), 'aria-label': `${t(isMine ? 'open_game' : 'look')}: ${called}` },
              t(isMine ? 'open_game' : 'look'),
            )
          : h(
              'button',
              {
                type: 'button',
                ...oneAtATime(asked),
                'aria-label': t('sit_down_at', { name: called }),
                onclick: () => void sit(game),
              },
              t('sit_down'),
            ),
      ),
    )
  }

  return {
    stop: () => {
      stopped = true
      clearInterval(again)
    },
    view: () =>
      h(
        'section.sheet.tables',
        null,
        h(
          'div.sheet-head',
          null,
          h('h2', null, t('open_tables')),
          h(
            'div.filters',
            { role: 'group', 'aria-label': t('open_tables') },
            filter(t('all'), !ruleset && !clock, () => {
              ruleset = ''
              clock = ''
            }),
            kinds.map(({ id, name }) =>
              filter(name, ruleset === id, () => (ruleset = ruleset === id ? '' : id)),
            ),
            filter(t('move_a_day'), clock === 'slow', () => (clock = clock === 'slow' ? '' : 'slow')),
            filter(t('live'), clock === 'live', () => (clock = clock === 'live' ? '' : 'live')),
          ),
        ),
        trouble(asked.problem),
        games && fitting().length === 0 && h('p.small', null, t('no_open_table')),
        fitting().length > 0 &&
          h(
            'div.wide',
            null,
            h(
              'table',
              null,
              h(
                'thead',
                null,
                h(
                  'tr',
                  null,
                  [t('game'), t('seats'), t('time'), t('options')].map((text) =>
                    h('th', { scope: 'col' }, text),
                  ),
                  h('td', null),
                ),
              ),
              h('tbody', null, fitting().map(row)),
            ),
          ),
      ),
  }
}

/**
 * The page of all tables: open ones, and public running games.
 * @param {() => void} redraw
 * @returns {import('../main.js').Page}
 */
export function tablesPage(redraw) {
  const open = openTables(redraw)
  /** @type {Game[]} */
  let running = []
  /** @type {Map<string, string>} */
  const names = new Map()
  void (async () => {
    for (const { id, name } of (await keep('/v1/rulesets')).items) names.set(id, name)
    running = (await get('/v1/games?status=running&limit=12')).items
    redraw()
  })().catch(() => null)
  return {
    title: () => t('open_tables'),
    stop: open.stop,
    view: () =>
      h(
        'main.narrow',
        { id: 'main' },
        h('h1.unseen', null, t('open_tables')),
        open.view(),
        h(
          'section.sheet',
          null,
          h('h2', null, t('running_games')),
          running.length === 0
            ? h('p.small', null, t('no_games'))
            : h(
                'ul.game-cards',
                null,
                running.map((game) =>
                  gameCard(game, {
                    name: names.get(game.ruleset) ?? game.ruleset,
                    facts: undefined,
                    isMyTurn: false,
                    redraw,
                  }),
                ),
              ),
        ),
      ),
  }
}
