// The page of a table: the present, past or drafted position.

import { line } from '../base/api.js'
import { icon } from '../base/icons.js'
import { links } from '../base/route.js'
import { inbox } from '../base/inbox.js'
import { isSmall } from '../base/screen.js'
import { h } from '../base/view.js'
import { language, t } from '../base/words.js'
import { printOf } from '../games/prints.js'
import { callMe } from '../home/call_me.js'
import { rulesets } from '../home/parts.js'
import { rulesText } from '../home/rules.js'
import { openClock } from './clock.js'
import { openDraft } from './draft.js'
import { openLobby } from './lobby.js'
import { openMenu } from './menu.js'
import { banner } from './moments.js'
import { openTable } from './model.js'
import { openPast } from './past.js'
import { openPlan } from './plan.js'
import { openPlayback } from './playback.js'
import { backToNow, newHere, prompt } from './prompt.js'
import { openResult } from './result.js'
import { scrubber } from './scrubber.js'
import { side } from './side.js'
import { openTalk } from './talk.js'
import { commandButton, press, trayKeys } from './tray.js'

/**
 * Common data of the page's parts.
 * @typedef {{table: import('./model.js').Table, draft: import('./draft.js').Drafts, past: import('./past.js').Past, playback: import('./playback.js').Playback, talk: import('./talk.js').Talk, menu: import('./menu.js').Menu, plan: import('./plan.js').Plans, call: import('../home/call_me.js').CallMe, rules: {view: () => any, lead: (rule: string) => Promise<void>}, ui: Ui, redraw: () => void, catalogue: import('../types.d.ts').Catalogue | null, me: number | null, state: any, before: any, since: any, scrubber: import('../base/view.js').Child, legal: import('../types.d.ts').LegalCommand[], freeForm: string[], digit: number, summary: string}} Parts
 */

/**
 * Local state: open parts, the pointed element, counters.
 * @typedef {{tab: string, filter: number | null, unfolded: Set<number>, amounts: Record<string, number>, pointed: string | null, keys: boolean, sure: string | null, language: string, dismissed: number, help: boolean, game: Record<string, any>}} Ui
 */

const NO_RULES = { view: () => null, lead: async () => {} }

/** @param {{id: string, seq: number | null}} route @param {() => void} redraw @returns {import('../main.js').Page} */
export function tablePage(route, redraw) {
  const table = openTable(route.id, redraw)
  const draft = openDraft(table, redraw)
  const past = openPast(table, redraw)
  table.onView = past.keep
  const playback = openPlayback(table, past, redraw)
  const talk = openTalk(table, redraw)
  const menu = openMenu(table, redraw)
  const plan = openPlan(table, redraw)
  const result = openResult(table, past, redraw)
  const call = callMe(redraw)
  const clock = openClock(table, redraw)
  const lobby = openLobby(table, call, redraw)
  /** @type {Ui} */
  const ui = {
    tab: 'log',
    filter: null,
    unfolded: new Set(),
    amounts: {},
    pointed: null,
    keys: false,
    sure: null,
    language: language(),
    dismissed: -1,
    help: false,
    game: {},
  }
  /** @type {ReturnType<typeof rulesText> | null} */
  let rules = null
  /** Whether the game had ended when it was last drawn. @type {boolean | null} */
  let wasOver = null

  void table.load().then(() => {
    draft.restore()
    if (route.seq !== null) past.arrive(route.seq)
    else if (draft.steps.length === 0 && table.game?.status === 'running') playback.catchUp()
    void talk.load().catch(() => null)
    void plan.load().catch(() => null)
    void menu.loadOffer().catch(() => null)
  })
  table.listeners.add((fresh) => {
    if (fresh.length === 0) return void talk.load(ui.tab === 'messages').catch(() => null)
    if (fresh.some(({ by }) => by === 'plan')) void plan.load().catch(() => null)
    // Do not replace a past position that the player looks at.
    draft.follow(fresh)
    if (draft.steps.length === 0) playback.follow(fresh)
  })
  const told = (/** @type {string} */ what, /** @type {any} */ data) => {
    if (data?.game === table.id && what === 'substitution') void menu.loadOffer().catch(() => null)
    if (data?.previous === table.id && what === 'rematch') void table.reload().catch(() => null)
  }
  inbox.listeners.add(told)
  // Only a clock changes by itself.
  const ticking = setInterval(() => {
    clock.tick()
    if (table.view?.deadline) redraw()
  }, 1000)
  /** @returns {Parts} */
  function parts() {
    const isPast = past.seq !== null || past.as !== null
    const drafted = !isPast && draft.seen ? draft.seen.view : null
    const view = isPast ? (past.view ?? table.view) : (drafted ?? table.view)
    const moves =
      isPast || playback.now || table.sending ? null : draft.seen ? draft.seen.legal : table.view?.legal
    if (table.game) rules ??= rulesText(table.game.ruleset, redraw)
    return {
      table,
      draft,
      past,
      playback,
      talk,
      menu,
      plan,
      call,
      rules: rules ?? NO_RULES,
      ui,
      redraw,
      catalogue: table.catalogue,
      me: table.me(),
      state: view?.state ?? null,
      since: drafted ? null : past.before(),
      before: drafted ? (table.view?.state ?? null) : null,
      scrubber: isSmall() || !hasBoard() ? null : entries(),
      legal: moves?.commands ?? [],
      freeForm: moves?.free_form ?? [],
      digit: 0,
      summary: ruleset()?.summary ?? '',
    }
  }

  /** Whether the game has a board, at which the line of entries is. */
  const hasBoard = () => table.game !== null && printOf(table.game.ruleset).kind !== 'plain'

  const entries = () => (table.items.length > 0 ? scrubber(table, past) : null)

  function body() {
    if (table.missing) return missing()
    const { game, catalogue } = table
    if (!game || !catalogue)
      return h(
        'main.narrow',
        { id: 'main' },
        h(
          'p',
          null,
          table.problem
            ? table.problem.message || t(line.state === 'well' ? 'lost' : line.state)
            : t('one_moment'),
        ),
      )
    const all = parts()
    const print = printOf(game.ruleset)
    const isOver = game.status === 'finished'
    if (isOver && wasOver === false && !playback.now) setTimeout(() => scrollTo(0, 0))
    if (!playback.now) wasOver = isOver
    return h(
      'main',
      { id: 'main', class: `table ${print.kind}`, onclick: pressed },
      h(
        'div.table-main',
        null,
        prompt(all),
        game.status === 'running' && call.isOpen() && call.view(),
        newHere(all),
        keysSheet(),
        plan.sheet(),
        game.status === 'open' || game.status === 'sealed' ? lobby() : null,
        isOver && past.seq === null ? result.view(all) : null,
        all.state ? h('div.stage', { key: 'stage' }, banner(all), print.board(all)) : null,
        all.scrubber || !all.state ? null : entries(),
        isOver && all.state ? result.eyes(all) : null,
        all.state ? print.more?.(all) : null,
        // A past position comes first, the result below.
        isOver && past.seq !== null ? result.view(all) : null,
      ),
      side(all),
      phoneTabs(all, print),
      h('p.unseen', { role: 'status' }, clock.spoken()),
    )
  }

  /**
   * Tabs of the page on small screens.
   * @param {Parts} all
   * @param {import('../games/prints.js').Print} print
   */
  function phoneTabs(all, print) {
    const { state } = all
    const places = state
      ? [
          ['board', t('board_short')],
          ['tray-title', t('cards')],
          ...(print.seats ? [print.seats()] : []),
          ['log', t('log')],
        ]
      : []
    const primary = all.draft.steps.length > 0 ? [] : (print.primary?.(all) ?? [])
    return h(
      'nav.phone-tabs',
      { 'aria-label': t('the_table') },
      primary.length > 0 &&
        h(
          'div.phone-acts',
          // The tray has the same commands, for keys and screen readers.
          { key: 'acts', 'aria-hidden': 'true' },
          primary.map((one) => commandButton(all, one, { keyless: true, class: 'main', hidden: true })),
        ),
      places.map(([id = '', text = '']) =>
        h('button', { type: 'button', key: id, onclick: id === 'log' ? toLog : () => lead(id) }, text),
      ),
      table.me() !== null &&
        h(
          'button',
          {
            type: 'button',
            key: 'messages',
            'aria-label': talk.unread > 0 ? t('new_messages') : t('messages'),
            onclick: toMessages,
          },
          icon('chat'),
          talk.unread > 0 && h('span.count', null, talk.unread),
        ),
    )
  }

  /** A press on the board ends the playback. @param {MouseEvent} event */
  function pressed(event) {
    const at = event.target instanceof Element ? event.target : null
    if (playback.now && at?.closest('.stage') && !at.closest('button, a')) playback.stop()
    toRule(event)
  }

  /** Opens a linked rule beside the table, and keeps the draft. @param {MouseEvent} event */
  function toRule(event) {
    const link = event.target instanceof Element ? event.target.closest('a[href^="/rules/"]') : null
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    ui.tab = 'rules'
    redraw()
    const rule = link.getAttribute('href')?.split('/')[3]
    if (rule) void rules?.lead(rule)
    else setTimeout(() => lead('tab-rules'))
  }

  const missing = () =>
    h(
      'main.narrow',
      { id: 'main' },
      h(
        'section.sheet',
        null,
        h('h1', null, t('nothing_here')),
        h('p', null, t('nothing_here_help')),
        h('a.button.main', { href: links.home }, t('to_my_games')),
      ),
    )

  /** @type {import('../types.d.ts').Ruleset[]} */
  let games = []
  void rulesets()
    .then((found) => {
      games = found
      redraw()
    })
    .catch(() => null)
  const ruleset = () => games.find(({ id }) => id === table.game?.ruleset)
  const name = () => ruleset()?.name ?? t('one_moment')

  return {
    title: name,
    game: route.id,
    clock: clock.low,
    get kind() {
      return table.game ? `print ${printOf(table.game.ruleset).kind}` : 'house'
    },
    head: () =>
      h(
        'div.game-head',
        null,
        h('h1', null, name()),
        h('span.round', null, roundOf()),
        clock.view(),
        clock.soundButton(),
        plan.button(),
        table.game ? menu.view(parts()) : null,
        table.game?.status === 'finished' &&
          h('a.button', { href: links.check(table.id) }, icon('seal'), t('verify')),
      ),
    view: body,
    keys: () => ({
      ...(past.seq === null && past.as === null && !playback.now ? acts() : {}),
      ...(playback.now ? { ' ': playback.hold, Enter: playback.stop } : {}),
      '?': () => showKeys(!ui.keys),
      r: () => void playback.start(),
      '[': () => focusOn('board'),
      ']': toLog,
      ArrowLeft: () => past.by(-1),
      ArrowRight: () => past.by(1),
      ArrowUp: () => past.byRound(-1),
      ArrowDown: () => past.byRound(1),
      Home: () => past.to(0),
      End: () => past.to(Number.MAX_SAFE_INTEGER),
      Escape: () => {
        if (menu.close() || plan.close()) return
        if (ui.keys) showKeys(false)
        else if (ui.game.square !== null && ui.game.square !== undefined) closeDetails()
        else if (!press('[data-escape]')) backToNow(parts())
      },
    }),
    moved: (next) => {
      if (next.name !== 'table' || next.id !== route.id) return false
      past.onMove()
      past.arrive(next.seq)
      return true
    },
    stop: () => {
      clearInterval(ticking)
      inbox.listeners.delete(told)
      playback.stop()
      talk.stop()
      menu.stop()
      draft.stop()
      table.stop()
    },
  }

  function closeDetails() {
    ui.game.square = null
    redraw()
  }

  /** @param {boolean} on */
  function showKeys(on) {
    ui.keys = on
    redraw()
    setTimeout(() => focusOn(on ? 'keys-title' : 'prompt'))
  }

  function keysSheet() {
    return (
      ui.keys &&
      h(
        'section.sheet',
        { key: 'keys', 'aria-labelledby': 'keys-title' },
        h('h2', { id: 'keys-title', tabindex: '-1' }, t('keys_title')),
        h(
          'ul.keys-list',
          null,
          t('keys_help')
            .split(' · ')
            .map((key) => h('li', { key }, key)),
        ),
        h('div.buttons', null, h('button', { type: 'button', onclick: () => showKeys(false) }, t('close'))),
      )
    )
  }

  /** Shows the menu, except in the past. @returns {import('../base/keys.js').Keys} */
  function acts() {
    return { ...trayKeys(), u: draft.undo, Enter: () => void draft.send() }
  }

  function toMessages() {
    ui.tab = 'messages'
    talk.read()
    redraw()
    setTimeout(() => lead('tab-messages'))
  }

  function toLog() {
    ui.tab = 'log'
    redraw()
    setTimeout(() => lead('log'))
  }

  function roundOf() {
    const state = parts().state
    if (!state || !('round' in state)) return ''
    const most = /** @type {any} */ (table.game?.options)?.max_rounds
    // A limit that is far away says nothing.
    return typeof most === 'number' && most <= 30
      ? t('round_of', { n: state.round, of: most })
      : t('round', { n: state.round })
  }
}

/** @param {string} id */
function lead(id) {
  focusOn(id)
  document.getElementById(id)?.scrollIntoView({ block: 'start' })
}

/** @param {string} id */
const focusOn = (id) => document.getElementById(id)?.focus()
