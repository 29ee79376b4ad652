// An invitation by link: the table, and a seat.

import { get, keep, Problem, untilHeard } from '../base/api.js'
import { asking, oneAtATime } from '../base/asking.js'
import { go, links } from '../base/route.js'
import { freeSeats, sitDown } from '../base/seats.js'
import { session } from '../base/store.js'
import { ofClock } from '../base/time.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { askAfterJoining } from './call_me.js'
import { nameField } from './first.js'
import { lid } from './lids.js'
import { seatRow, trouble } from './parts.js'

/** @param {{code: string}} route @param {() => void} redraw @returns {import('../main.js').Page} */
export function invitePage(route, redraw) {
  const path = `/v1/invites/${encodeURIComponent(route.code)}`
  /** @type {import('../types.d.ts').InvitedGame | null} */
  let game = null
  let called = ''
  let summary = ''
  let gone = false
  let hasApplied = false
  const asked = asking(redraw)
  const name = nameField(asked)
  void (async () => {
    try {
      game = await untilHeard(() => get(path), Infinity)
      const ruleset = await keep(`/v1/rulesets/${game?.ruleset}`)
      called = ruleset.name
      summary = ruleset.summary
    } catch (problem) {
      gone = problem instanceof Problem && problem.status === 404
      asked.problem = gone ? null : problem
    }
    redraw()
  })()

  async function sit() {
    const { id, terms, offered_seat: offered } = await get(path).then((now) => (game = now))
    /** @returns {Promise<import('../base/seats.js').Place>} */
    const where = async () => ({
      game: id,
      terms,
      ...(offered === null
        ? { seats: freeSeats(/** @type {any} */ (game)) }
        : { seats: [offered], type: 'hand' }),
    })
    const done = await sitDown(`/v1/games/${id}/seats`, where, { invite: route.code })
    hasApplied = !done.id
    askAfterJoining()
    if (!hasApplied) go(links.table(done.id))
  }

  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault()
    void (session.get() ? asked.ask(sit) : name.enter(sit))
  }

  /** @param {import('../types.d.ts').InvitedGame} full */
  const fullTable = (full) => [
    h('h1', null, t(full.status === 'running' || full.status === 'sealed' ? 'table_full' : 'table_over')),
    h(
      'p',
      null,
      h(
        'bdi',
        { dir: 'ltr' },
        t(full.status === 'running' ? 'table_full_help' : 'table_over_help', { game: called }),
      ),
    ),
    h('p.small', null, seatRow(full), full.title && [' · ', h('bdi', null, full.title)]),
    h(
      'div.buttons',
      null,
      h(
        'a.button.main',
        { href: links.table(full.id) },
        t(full.status === 'running' ? 'watch_game' : 'look'),
      ),
      h('a.button', { href: links.tables }, t('open_tables')),
      h('a.button', { href: links.home }, t('set_up_table')),
    ),
  ]

  function body() {
    if (gone)
      return [
        h('h1', null, t('nothing_here')),
        h('p', null, t('invite_gone')),
        h('a.button.main', { href: links.home }, t('to_my_games')),
      ]
    if (!game) return trouble(asked.problem) || h('p', null, t('one_moment'))
    const me = session.get()?.player.id
    const host = game.seats.find(({ player }) => player)?.player?.name ?? t('somebody')
    const isMine = game.seats.some(({ player }) => player && player.id === me)
    if (game.status !== 'open' && game.offered_seat === null && !isMine)
      return [lid(game.ruleset, 'lid large'), fullTable(game)]
    return [
      lid(game.ruleset, 'lid large'),
      h('h1', null, t('invited')),
      h('p', null, h('bdi', { dir: 'ltr' }, t('invited_by', { name: host, game: called }))),
      h('p', null, summary, ' ', h('a', { href: links.rules(game.ruleset) }, t('rules'))),
      h(
        'p.small',
        null,
        seatRow(game),
        ' ',
        ofClock(game.clock),
        game.title && [' · ', h('bdi', null, game.title)],
      ),
      hasApplied
        ? h('p', { role: 'status' }, t('asked_for_seat'))
        : isMine
          ? h('a.button.main.large', { href: links.table(game.id) }, t('open_game'))
          : h(
              'form.stack',
              { onsubmit: submit },
              !session.get() && name.field(),
              trouble(asked.problem),
              h(
                'button.main.large',
                { type: 'submit', ...oneAtATime(asked) },
                game.offered_seat === null ? t('take_a_seat') : t('ask_for_seat'),
              ),
            ),
    ]
  }

  return {
    title: () => t('invited'),
    view: () => h('main.narrow.invite', { id: 'main' }, h('section.sheet', null, body())),
  }
}
