// Home: waiting games, own games, open tables, a new table, and the recovery code.

import { all, get, isShutOut } from '../base/api.js'
import { inbox, myTurns } from '../base/inbox.js'
import { letter } from '../base/keys.js'
import { links } from '../base/route.js'
import { session } from '../base/store.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { gist } from '../table/sentences.js'
import { firstVisit } from './first.js'
import { gameCard } from './game_card.js'
import { newTable } from './new_table.js'
import { rulesets } from './parts.js'
import { keepCode } from './settings.js'
import { openTables } from './tables.js'

/** @typedef {import('../types.d.ts').Game} Game */

/** Games that have not ended. @type {Game['status'][]} */
const GOING = ['running', 'open', 'sealed']
/** Finished games that are shown at first, and games whose prompts are asked for. */
const DONE = 6
const ASKED = 12

/** @param {() => void} redraw @returns {import('../main.js').Page} */
export function homePage(redraw) {
  const table = newTable(redraw)
  const tables = openTables(redraw)
  const first = session.get() ? null : firstVisit(redraw)
  /** My games, once they are known. @type {Game[] | null} */
  let mine = null
  /** @type {Map<string, string>} */
  const names = new Map()
  /** By game and newest entry. @type {Map<string, import('./game_card.js').Facts>} */
  const facts = new Map()
  let shownDone = DONE

  async function load() {
    if (!session.get()) return
    for (const { id, name } of await rulesets()) names.set(id, name)
    mine = await all('/v1/me/games', 100).catch((problem) => {
      if (isShutOut()) return []
      throw problem
    })
    redraw()
    const going = mine.filter(({ status }) => status === 'running')
    await Promise.all([...inbox.waiting, ...going].slice(0, ASKED).map(ask))
  }

  /** @param {Game} game */
  async function ask({ id, seq, status }) {
    const name = `${id} ${seq}`
    if (status !== 'running' || facts.has(name)) return
    facts.set(name, { prompt: '', bank: 0, last: '' })
    const [view, events] = await Promise.all([
      get(`/v1/games/${id}/view?words=true`).catch(() => null),
      get(`/v1/games/${id}/events?words=true&after=${seq - 1}`).catch(() => null),
    ])
    const bank = view?.seats[view.to_act[0]]?.bank_seconds ?? 0
    facts.set(name, { prompt: view?.prompt ?? '', bank, last: gist(events?.items[0]) })
    redraw()
  }

  const reload = () => void load().catch(() => null)
  const onEvent = (/** @type {string} */ what) => what !== 'message' && reload()
  inbox.listeners.add(onEvent)
  reload()
  const ticking = setInterval(redraw, 20_000)

  /** @param {Game} game */
  const nameOfGame = (game) => names.get(game.ruleset) ?? game.ruleset

  /** @param {Game} game @param {boolean} isMyTurn */
  const card = (game, isMyTurn) =>
    gameCard(game, { name: nameOfGame(game), facts: facts.get(`${game.id} ${game.seq}`), isMyTurn, redraw })

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
    const asked = (mine ?? []).filter(({ id }) => inbox.rematches.has(id))
    return h(
      'section.sheet.waiting',
      null,
      h(
        'div.sheet-head',
        null,
        h('h1', null, title),
        first && h('a.button.main', { href: links.table(first.id) }, t('play_first'), letter('N')),
      ),
      asked.length + games.length > 0 &&
        h(
          'ul.game-cards',
          null,
          asked.map((game) => card(game, false)),
          games.map((game) => card(game, true)),
        ),
    )
  }

  function mineNotWaiting() {
    if (!mine) return null
    const waits = new Set(myTurns().map(({ id }) => id))
    const going = mine.filter(({ id, status }) => !waits.has(id) && GOING.includes(status))
    const done = mine
      .filter(({ id, status }) => !GOING.includes(status) && !inbox.rematches.has(id))
      .slice(0, shownDone)
    /** @param {import('../base/words.js').TextName} title @param {Game[]} games */
    const part = (title, games) =>
      games.length > 0 &&
      h(
        'section.sheet',
        null,
        h('h2', null, t(title)),
        h(
          'ul.game-cards',
          null,
          games.map((game) => card(game, false)),
        ),
        games === done &&
          done.length === shownDone &&
          h('button.quiet', { type: 'button', onclick: moreDone }, t('more_games')),
      )
    return [part('waiting_for_others', going), part('finished_games', done)]
  }

  function moreDone() {
    shownDone += DONE
    redraw()
  }

  return {
    title: () => t('my_games'),
    view: () =>
      first && !session.get()
        ? first()
        : h(
            'main.home',
            { id: 'main' },
            h('div.home-main', null, waiting(), keepCode(redraw), mineNotWaiting(), tables.view()),
            h('section.sheet.home-side', null, h('h2', null, t('new_table')), table.form()),
          ),
    stop: () => {
      clearInterval(ticking)
      inbox.listeners.delete(onEvent)
      tables.stop()
    },
  }
}
