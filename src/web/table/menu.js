// The menu of the table: pauses, takebacks, leaving, substitutes, a rematch.

import { get, Problem } from '../base/api.js'
import { oneAtATime } from '../base/asking.js'
import { icon } from '../base/icons.js'
import { inbox } from '../base/inbox.js'
import { go, links, whole } from '../base/route.js'
import { termsOf } from '../base/seating.js'
import { newId, readTerms, sitDown } from '../base/seats.js'
import { readTrueLog } from '../base/log.js'
import { ownKey } from '../base/own_key.js'
import { session } from '../base/store.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { copy } from '../home/parts.js'
import { webhooks } from '../home/webhooks.js'
import { takeFocus } from './tray.js'

/** @typedef {import('./page.js').Parts} Parts */

/** @param {import('./model.js').Table} table @param {() => void} redraw */
export function openMenu(table, redraw) {
  let isOpen = false
  let sure = false
  /** The offer of my seat. @type {any} */
  let offer = null
  /** @type {ReturnType<typeof webhooks> | null} */
  let hooks = null
  const menu = {
    view,
    /** Closes the menu, and returns the focus to its button. */
    close: () => {
      if (!isOpen) return false
      if (document.getElementById('menu')?.contains(document.activeElement))
        document.getElementById('menu-button')?.focus()
      turn(false)
      return true
    },
    loadOffer,
    stop: () => document.removeEventListener('pointerdown', outside),
    rematch: () => void table.ask(rematch),
  }

  /** @param {boolean} on */
  function turn(on) {
    isOpen = on
    sure = false
    hooks = null
    if (on) document.addEventListener('pointerdown', outside)
    else document.removeEventListener('pointerdown', outside)
    redraw()
  }

  /** A press outside closes the menu. @param {Event} event */
  const outside = ({ target }) => !(target instanceof Element && target.closest('.menu')) && turn(false)

  async function loadOffer() {
    if (
      table.me() === null ||
      !table.game?.substitutes ||
      table.game.status !== 'running' ||
      table.view?.seats[table.me() ?? 0]?.resigned
    )
      return
    const { code, ...more } = await get(`${table.path}/substitution`)
    offer = code && { code, ...more }
    redraw()
  }

  /** @param {'POST' | 'PUT' | 'DELETE'} method @param {string} end @param {any} body */
  const does = (method, end, body) => () =>
    void table.ask(async () => {
      const done = await table.act(method, `/${end}`, body === undefined ? undefined : await body())
      await table.reload()
      await loadOffer()
      // The menu shows the code for a substitute.
      if (done?.code)
        setTimeout(() =>
          /** @type {HTMLElement | null} */ (document.querySelector('.offered button'))?.focus(),
        )
      else menu.close()
    })

  /** @param {'pause' | 'continue' | 'resign'} op */
  const signed = (op) => async () => (await table.consent({ type: op })).signed

  /** Opens a rematch, or joins the one of another player. */
  async function rematch() {
    await table.reload()
    const { id } = await again().catch((problem) => {
      // Another player was quicker.
      if (!(problem instanceof Problem) || problem.code !== 'game_exists') throw problem
      return table.reload().then(again)
    })
    inbox.rematches.delete(table.id)
    go(links.table(id))
  }

  async function again() {
    const me = session.get()?.player.id
    const opened = table.game?.rematch
    if (opened) {
      const there = await get(`/v1/games/${opened}`).catch(() => null)
      if (there?.seats.some((/** @type {any} */ { player }) => player?.id === me)) return { id: opened }
    }
    const { genesis, heads } = await readTrueLog(table.id)
    const seat = ((table.me() ?? 0) + 1) % genesis.seats
    const id = opened ?? newId()
    const terms = { ...termsOf(genesis), previous: { game: table.id, head: heads.at(-1) } }
    const signs = (await ownKey()) ? { id } : {}
    return sitDown(`${table.path}/rematch`, async () => ({ game: id, terms, seats: [seat] }), signs)
  }

  /** @param {number} to */
  async function takeback(to) {
    const { spot, signed } = await table.consent({ type: 'takeback', to })
    return { expected_seq: spot.seq, to, ...signed }
  }

  async function leave() {
    await table.act('DELETE', '/seats/mine')
    go(links.home)
  }

  async function callOff() {
    await table.act('DELETE', '')
    await table.reload()
  }

  /** Notifications of the table for channels. */
  function tellChannel() {
    const names = () => (table.game?.seats ?? []).map(({ seat }) => table.name(seat))
    hooks = webhooks(table.id, names, redraw)
    redraw()
  }

  /** Returns an item that sends a request. @param {string} text @param {() => void} act */
  const item = (text, act) =>
    h('button.quiet', { type: 'button', key: text, ...oneAtATime(table), onclick: act }, text)

  /** Returns an item that opens another part of the menu. @param {string} text @param {() => void} show */
  const opener = (text, show) => h('button.quiet', { type: 'button', key: text, onclick: show }, text)

  /** @param {Parts} parts */
  function items({ table: { game, view } }) {
    const me = table.me()
    if (!game) return []
    if (me === null) return game.status === 'running' && game.substitutes && session.get() ? openSeats() : []
    const seat = view?.seats[me]
    const back = view?.takeback
    const to = back?.to
    return [
      game.status === 'running' &&
        to !== undefined &&
        item(
          to === back?.from ? t('take_back') : t('take_back_to', { seq: to }),
          does('POST', 'takebacks', async () => takeback(to)),
        ),
      game.status === 'running' && game.takebacks && to === undefined && h('p.small', null, t('no_takeback')),
      game.status === 'running' &&
        game.clock &&
        !seat?.asks_pause &&
        item(t('ask_pause'), does('PUT', 'pause', signed('pause'))),
      game.status === 'running' &&
        seat?.asks_pause &&
        item(t(view?.paused ? 'go_on' : 'no_pause'), does('DELETE', 'pause', signed('continue'))),
      game.status === 'running' &&
        game.substitutes &&
        !offer &&
        item(t('substitute'), does('POST', 'substitution', undefined)),
      game.status === 'running' &&
        !seat?.resigned &&
        opener(t('resign'), () => {
          sure = true
          redraw()
        }),
      (game.status === 'open' || game.status === 'sealed') &&
        item(t('leave_table'), () => void table.ask(leave)),
      opener(t('tell_channel'), tellChannel),
      game.status === 'open' && me === 0 && item(t('call_off'), () => void table.ask(callOff)),
    ].filter(Boolean)
  }

  /** Returns seats of absent players for visitors. The server decides which can be taken. */
  const openSeats = () =>
    (table.view?.seats ?? [])
      .filter(({ control, player }) => player && control !== 'player')
      .map(({ seat }) =>
        item(
          t('play_on_for', { name: table.name(seat) }),
          () =>
            void table.ask(async () => {
              await sitDown(
                `${table.path}/seats`,
                async () => ({
                  game: table.id,
                  terms: await readTerms(table.id),
                  seats: [seat],
                  type: 'hand',
                }),
                { seat },
              )
              await table.load()
            }),
        ),
      )

  /** @param {Parts} parts */
  function view(parts) {
    const all = items(parts)
    if (all.length === 0 && !offer) return null
    const { game } = parts.table
    // The past has no menu, but the header keeps its height.
    const rests = parts.past.seq !== null
    const isShown = isOpen && !rests
    return h(
      'div.menu',
      null,
      h(
        'button',
        {
          type: 'button',
          id: 'menu-button',
          'aria-expanded': String(isShown),
          'aria-controls': 'menu',
          disabled: rests,
          onclick: () => turn(!isOpen),
        },
        icon('menu'),
        h('span.word', null, t('menu')),
      ),
      isShown &&
        h(
          'div.menu-sheet',
          { id: 'menu' },
          sure ? resignSure() : hooks ? hooks.view() : all,
          game?.clock &&
            game.status === 'running' &&
            parts.me !== null &&
            !sure &&
            !hooks &&
            h('p.small', null, t('pause_help')),
          !hooks && offer && offered(offer),
        ),
    )
  }

  /** Warns that a resignation ends the game if one seat is left. */
  function resignWarning() {
    const left = (table.view?.seats ?? []).filter(({ seat, resigned }) => !resigned && seat !== table.me())
    return left.length === 1 ? t('resign_ends', { name: table.name(left[0]?.seat ?? 0) }) : t('resign_sure')
  }

  const resignSure = () =>
    h(
      'div.sure',
      { role: 'alertdialog', 'aria-label': t('resign') },
      h('p', null, resignWarning()),
      h(
        'button.grave',
        { type: 'button', ...oneAtATime(table), onclick: does('POST', 'resignation', signed('resign')) },
        t('resign_yes'),
      ),
      h('button', { type: 'button', made: takeFocus, onclick: menu.close }, t('no')),
    )

  /** @param {any} one */
  const offered = (one) =>
    h(
      'div.offered',
      { key: one.code },
      one.asked
        ? [
            h(
              'p',
              null,
              h('bdi', { dir: 'ltr' }, t('asks_for_seat', { name: one.asked.player.name ?? t('somebody') })),
            ),
            h(
              'button.main',
              {
                type: 'button',
                ...oneAtATime(table),
                onclick: does('POST', 'substitution/acceptance', async () => ({
                  player: one.asked.player.id,
                  ...(await table.consent({
                    type: 'hand',
                    player: one.asked.player.id,
                    bot: null,
                    taken: one.asked.taken,
                  })),
                })),
              },
              t('agree'),
            ),
          ]
        : [
            h('p.small', null, t('substitute_help')),
            h('p.code', null, one.code),
            h(
              'button',
              {
                type: 'button',
                onclick: (/** @type {Event} */ event) =>
                  void copy(whole(links.invite(one.code)), event, t('link_copied')),
              },
              t('copy_link'),
            ),
          ],
      item(t('withdraw'), does('DELETE', 'substitution', undefined)),
    )

  return menu
}

/** @typedef {ReturnType<typeof openMenu>} Menu */
