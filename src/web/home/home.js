// Home: waiting games, own games, open tables, a new table, and the recovery code.

import { all, get, isShutOut } from '../base/api.js'
import { icon } from '../base/icons.js'
import { inbox, myTurns } from '../base/inbox.js'
import { letter } from '../base/keys.js'
import { links } from '../base/route.js'
import { session } from '../base/store.js'
import { isSoon, leftOfMove } from '../base/time.js'
import { h } from '../base/view.js'
import { list, t } from '../base/words.js'
import { firstVisit } from './first.js'
import { lid } from './lids.js'
import { newTable } from './new_table.js'
import { others, rematchWaits, rulesets } from './parts.js'
import { keepCode } from './settings.js'
import { openTables } from './tables.js'

/** @typedef {import('../types.d.ts').Game} Game */

/** @param {() => void} redraw @returns {import('../main.js').Page} */
export function homePage(redraw) {
  const table = newTable(redraw)
  const tables = openTables(redraw)
  const first = session.get() ? null : firstVisit(redraw)
  /** My games, once they are known. @type {Game[] | null} */
  let mine = null
  /** @type {Map<string, string>} */
  const names = new Map()
  /**
   * Prompts of waiting games, with the time bank, by newest entry.
   * @type {Map<string, {prompt: string, bank: number}>}
   */
  const asks = new Map()

  async function load() {
    if (!session.get()) return
    for (const { id, name } of await rulesets()) names.set(id, name)
    mine = await all('/v1/me/games', 100).catch((problem) => {
      if (isShutOut()) return []
      throw problem
    })
    redraw()
    await Promise.all(inbox.waiting.slice(0, 12).map(ask))
  }

  /** @param {Game} game */
  async function ask({ id, seq, status }) {
    const name = `${id} ${seq}`
    if (status !== 'running' || asks.has(name)) return
    const view = await get(`/v1/games/${id}/view?words=true`).catch(() => null)
    asks.set(name, { prompt: view?.prompt ?? '', bank: view?.seats[view.to_act[0]]?.bank_seconds ?? 0 })
    redraw()
  }

  const reload = () => void load().catch(() => null)
  const onEvent = (/** @type {string} */ what) => what !== 'message' && reload()
  inbox.listeners.add(onEvent)
  reload()
  const ticking = setInterval(redraw, 20_000)

  /** @param {Game} game */
  const nameOfGame = (game) => names.get(game.ruleset) ?? game.ruleset

  /** Shows a request for a rematch. @param {Game} game */
  const rematch = (game) =>
    h(
      'li',
      { key: `again ${game.id}` },
      lid(game.ruleset, 'lid tiny'),
      h(
        'div.what',
        null,
        h('strong', null, nameOfGame(game)),
        h('small', null, h('bdi', { dir: 'ltr' }, others(game))),
      ),
      h('p.asked', null, rematchWaits(game)),
      h('a.button.main', { href: links.table(game.id) }, t('look')),
    )

  function waiting() {
    const games = myTurns()
    const title = !mine
      ? t('one_moment')
      : games.length === 0
        ? t('waits_none')
        : games.length === 1
          ? t('waits_one')
          : t('waits_many', { n: games.length })
    const first = games[0]
    return h(
      'section.sheet.waiting',
      null,
      h(
        'div.sheet-head',
        null,
        h('h1', null, title),
        first && h('a.button.main', { href: links.table(first.id) }, t('play_first'), letter('N')),
      ),
      inbox.rematches.size > 0 &&
        h('ul.rows', null, (mine ?? []).filter(({ id }) => inbox.rematches.has(id)).map(rematch)),
      games.length > 0 &&
        h(
          'ul.rows',
          null,
          games.map((game) =>
            h(
              'li',
              { key: game.id },
              lid(game.ruleset, 'lid tiny'),
              h(
                'div.what',
                null,
                h('strong', null, nameOfGame(game), game.title && [': ', h('bdi', null, game.title)]),
                h('small', null, h('bdi', { dir: 'ltr' }, others(game))),
              ),
              h(
                'p.asked',
                null,
                asks.get(`${game.id} ${game.seq}`)?.prompt ?? '',
                inbox.spoken.has(game.id) && [' ', icon('chat'), h('small', null, t('new_messages'))],
              ),
              game.deadline &&
                h(
                  'span',
                  { class: isSoon(game.deadline, game.clock) ? 'left soon' : 'left' },
                  icon('clock'),
                  leftOfMove(game.deadline, asks.get(`${game.id} ${game.seq}`)?.bank ?? 0).text,
                  isSoon(game.deadline, game.clock) && `, ${t('soon')}`,
                ),
              h(
                'a.button.main',
                { href: links.table(game.id), 'aria-label': t('play_named', { game: nameOfGame(game) }) },
                t('play'),
              ),
            ),
          ),
        ),
    )
  }

  /** @param {Game} game */
  function row(game) {
    const taken = game.seats.filter(({ player }) => player).length
    const me = session.get()?.player.id
    const mySeat = game.seats.find(({ player }) => player?.id === me)?.seat
    const place = game.result?.find(({ seat }) => seat === mySeat)?.place
    const deciding = game.seats
      .filter(({ seat }) => game.to_act.includes(seat))
      .map(({ player }) => player?.name ?? t('somebody'))
    const state =
      game.status === 'open'
        ? t('table_open', { n: taken, of: game.seats.length })
        : game.status === 'sealed'
          ? t('table_sealed')
          : game.status === 'void'
            ? t('ended_void')
            : game.status === 'finished'
              ? place
                ? t('result_place', { n: place })
                : t('ended_abandoned')
              : t('waits_for', { names: list(deciding) })
    const open = t(game.status === 'finished' ? 'result' : 'look')
    return h(
      'li',
      { key: game.id },
      h('span', { class: `dot print-${game.ruleset}` }),
      h(
        'div.what',
        null,
        h('strong', null, nameOfGame(game), game.title && [': ', h('bdi', null, game.title)]),
        h(
          'small',
          null,
          h('bdi', { dir: 'ltr' }, state),
          ' · ',
          h('bdi', { dir: 'ltr' }, others(game)),
          inbox.spoken.has(game.id) && [' · ', t('new_messages')],
        ),
      ),
      h(
        'a.button',
        { href: links.table(game.id), 'aria-label': `${open}: ${nameOfGame(game)}, ${others(game)}` },
        open,
      ),
    )
  }

  function mineNotWaiting() {
    if (!mine) return null
    const waits = new Set(myTurns().map(({ id }) => id))
    const going = mine.filter(
      ({ id, status }) =>
        !waits.has(id) && (status === 'running' || status === 'open' || status === 'sealed'),
    )
    const done = mine.filter(({ status }) => status === 'finished' || status === 'void').slice(0, 12)
    return h(
      'section.sheet.two',
      null,
      h(
        'div',
        null,
        h('h2', null, t('waiting_for_others')),
        going.length ? h('ul.lines', null, going.map(row)) : h('p.small', null, t('no_games')),
      ),
      h(
        'div',
        null,
        h('h2', null, t('finished_games')),
        done.length ? h('ul.lines', null, done.map(row)) : h('p.small', null, t('no_games')),
      ),
    )
  }

  return {
    title: () => t('my_games'),
    view: () =>
      first && !session.get()
        ? first()
        : h(
            'main.home',
            { id: 'main' },
            h('div.home-main', null, waiting(), keepCode(redraw), tables.view(), mineNotWaiting()),
            h('section.sheet.home-side', null, h('h2', null, t('new_table')), table.form()),
          ),
    stop: () => {
      clearInterval(ticking)
      inbox.listeners.delete(onEvent)
      tables.stop()
    },
  }
}
