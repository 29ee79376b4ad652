// Explorations: a private continuation of a position. It looks like a table and is not recorded.

import { Problem, get, isBehind, keep, send } from '../base/api.js'
import { asking, oneAtATime } from '../base/asking.js'
import { go, links } from '../base/route.js'
import { h } from '../base/view.js'
import { language, t } from '../base/words.js'
import { seatShape } from '../base/icons.js'
import { printOf } from '../games/prints.js'
import { LEVELS } from '../home/machines.js'
import { trouble } from '../home/parts.js'
import { trayKeys } from './tray.js'

/** @typedef {import('../types.d.ts').Exploration} Exploration */
/** @typedef {import('../home/machines.js').Level} Level */

/**
 * Starts an exploration from an entry, with bots of a level on the other seats, or alone for all.
 * @param {string} game
 * @param {number} seq
 * @param {number} seats
 * @param {number} mine
 * @param {Level | ''} level
 */
export async function playOn(game, seq, seats, mine, level) {
  const others = Array.from({ length: seats }, (_, seat) => seat).filter((seat) => seat !== mine)
  const bots = level ? others.map((seat) => ({ seat, level })) : []
  const made = await send('POST', `/v1/games/${game}/explorations?words=true`, { seq, bots })
  go(links.exploration(made.id))
}

/** @param {{id: string}} route @param {() => void} redraw @returns {import('../main.js').Page} */
export function explorationPage(route, redraw) {
  const path = `/v1/explorations/${route.id}`
  /** @type {Exploration | null} */
  let explored = null
  /** @type {import('../types.d.ts').Game | null} */
  let game = null
  /** @type {any} */
  let catalogue = null
  let name = ''
  let gone = false
  let stopped = false
  const asked = asking(redraw, async (problem) => {
    if (isBehind(problem)) take(await get(`${path}?words=true`))
  })
  /** Texts of the events, newest last. @type {{no: number, text: string}[]} */
  const said = []
  const ui = {
    tab: 'log',
    filter: null,
    unfolded: new Set(),
    amounts: {},
    pointed: null,
    sure: null,
    language: language(),
    game: {},
  }

  /** Takes an answer, unless a newer one has arrived. @param {Exploration} next */
  function take(next) {
    clearTimeout(again)
    if (stopped || next.seq < (explored?.seq ?? 0)) return
    const isStill = next.seq === explored?.seq && next.events.length === 0
    explored = next
    const text = next.events.map((event) => event.text ?? '').join(' ')
    if (text) said.push({ no: next.seq, text })
    // Ask again for a bot that ran out of time.
    const to_act = next.view.to_act[0]
    if (to_act !== undefined && next.levels[to_act])
      again = setTimeout(() => void goOn(), isStill ? 8000 : 1000)
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let again
  async function goOn() {
    try {
      take(await get(`${path}?words=true`))
    } catch (problem) {
      gone = problem instanceof Problem && problem.status === 404
      if (!gone && !stopped) again = setTimeout(() => void goOn(), 4000)
    }
    redraw()
  }

  void (async () => {
    try {
      const first = await get(`${path}?words=true`)
      game = await get(`/v1/games/${first.game}`)
      catalogue = await keep(`/v1/rulesets/${first.view.ruleset}/catalogue`)
      name = (await keep(`/v1/rulesets/${first.view.ruleset}`)).name
      take(first)
    } catch (error) {
      gone = error instanceof Problem && error.status === 404
      asked.problem = error
    }
    redraw()
  })()

  const press = (/** @type {any} */ command) =>
    asked.ask(async () => {
      take(await send('POST', `${path}/commands?words=true`, { expected_seq: explored?.seq ?? 0, command }))
    })

  /** Returns the parts of a table for boards and trays. @param {Exploration} now @returns {any} */
  function parts(now) {
    const { view, legal } = now
    const me = 'seat' in view.viewer ? view.viewer.seat : null
    const table = {
      id: now.game,
      path,
      game: game && { ...game, status: view.status },
      catalogue,
      view,
      items: [],
      seen: -1,
      ...asked,
      me: () => me,
      player: (/** @type {number} */ seat) => playerOf(now, seat),
      name: (/** @type {number} */ seat) => playerOf(now, seat).name,
      spot: () => ({ game: now.game, seq: now.seq, head: '', seat: me ?? 0 }),
      judge: async () => null,
    }
    const nothing = { seq: null, as: null, view: null, now: null, rounds: () => [], before: () => null }
    return {
      table,
      draft: { steps: [], seen: null, isClosed: () => asked.sending, passesOn: () => false, press },
      past: nothing,
      playback: nothing,
      talk: null,
      menu: null,
      plan: null,
      rules: null,
      ui,
      redraw,
      catalogue,
      me,
      state: view.state,
      scrubber: null,
      since: null,
      before: null,
      legal: asked.sending ? [] : legal.commands,
      freeForm: legal.free_form,
      digit: 0,
    }
  }

  /**
   * Returns the player of a seat: a bot of a level, or the explorer.
   * @param {Exploration} now
   * @param {number} seat
   */
  const playerOf = (now, seat) => {
    const level = now.levels[seat] ?? null
    return {
      name: now.view.seats[seat]?.player?.name ?? t('seat_n', { n: seat + 1 }),
      bot: level !== null,
      level,
    }
  }

  /** @param {Exploration} now @param {number} mine @param {any} level */
  const start = (now, mine, level) =>
    void asked.ask(() => playOn(now.game, now.from_seq, now.levels.length, Math.max(0, mine), level))

  /** @param {Exploration} now */
  function startAgain(now) {
    const mine = now.dealt_for ?? now.levels.findIndex((level) => level === null)
    const level = now.levels.find((one) => one !== null) ?? ''
    return h(
      'form.fill',
      { onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      h('label', { for: 'others' }, t('other_seats')),
      h(
        'select',
        {
          id: 'others',
          value: level,
          onchange: (/** @type {any} */ event) => start(now, mine, event.target.value),
        },
        h('option', { value: '' }, t('by_me')),
        LEVELS.map((one) => h('option', { value: one, key: one }, t('machine_of_level', { level: t(one) }))),
      ),
      h(
        'button',
        { type: 'button', ...oneAtATime(asked), onclick: () => start(now, mine, level) },
        t('start_again', { seq: now.from_seq }),
      ),
      h(
        'a.button',
        { href: links.table(now.game, game?.status === 'running' ? null : now.from_seq) },
        t('back_to_game'),
      ),
    )
  }

  function body() {
    if (gone)
      return h(
        'main.narrow',
        { id: 'main' },
        h('section.sheet', null, h('h1', null, t('nothing_here')), h('p', null, t('exploration_gone'))),
      )
    if (!explored || !game || !catalogue)
      return h(
        'main.narrow',
        { id: 'main' },
        h('p', null, asked.problem ? asked.problem.message : t('one_moment')),
      )
    const print = printOf(explored.view.ruleset)
    const all = parts(explored)
    const to_act = explored.view.to_act[0]
    return h(
      'main',
      { id: 'main', class: `table ${print.kind}` },
      h(
        'div.table-main',
        null,
        h(
          'section.prompt.in-past',
          { key: 'prompt', 'aria-labelledby': 'prompt' },
          h(
            'div.ask',
            null,
            to_act !== undefined && h('span.seat-mark', null, seatShape(to_act)),
            h(
              'h2',
              { id: 'prompt', tabindex: '-1', 'aria-live': 'polite' },
              h('bdi', { dir: 'ltr' }, asked.sending ? t('sending') : (explored.view.prompt ?? '')),
            ),
          ),
          h(
            'p.small',
            null,
            t('what_if_help', { seq: explored.from_seq }),
            explored.dealt_for !== null && ` ${t('dealt_anew')}`,
          ),
          startAgain(explored),
          trouble(asked.problem, explored.view.ruleset),
        ),
        print.board(all),
        print.more?.(all),
      ),
      h(
        'aside.side',
        { id: 'side', 'aria-label': t('log') },
        h(
          'div.panel',
          null,
          h(
            'div.log-body',
            { id: 'log', tabindex: '0', role: 'region', 'aria-label': t('log') },
            said.length === 0 && h('p.small', null, t('nothing_yet')),
            h(
              'ol',
              null,
              said.map(({ no, text }) =>
                h(
                  'li',
                  { key: String(no) },
                  h('span.seq', null, no),
                  h('span', null, ''),
                  h('bdi', { dir: 'ltr' }, text),
                ),
              ),
            ),
          ),
        ),
      ),
    )
  }

  return {
    title: () => t('what_if'),
    get kind() {
      return explored ? `print ${printOf(explored.view.ruleset).kind}` : 'house'
    },
    head: () => h('div.game-head', null, h('h1', null, name), h('span.round', null, t('what_if'))),
    view: body,
    keys: trayKeys,
    stop: () => {
      stopped = true
      clearTimeout(again)
    },
  }
}
