// The player's action cards: what each is good for, and the swap of two of them by pressing them.

import { icon } from '../../base/icons.js'
import { letter } from '../../base/keys.js'
import { h } from '../../base/view.js'
import { list, t } from '../../base/words.js'
import { isIdle, once } from '../../table/tray.js'

/** @typedef {import('../../table/page.js').Parts} Parts */

/** Returns the cards of the player, or of the player whose eyes are used. @param {Parts} parts @returns {string[]} */
function cardsOf({ state, me, past }) {
  const seat = past.as === null ? me : Number(past.as)
  return state.seats[seat ?? 0]?.hand ?? []
}

/** Returns the legal swaps. @param {Parts} parts */
const swaps = ({ legal }) => legal.filter(({ command }) => command.type === 'exchange_actions')

/** Returns the places of the cards chosen for a swap, or null if none is in preparation. @param {Parts} parts @returns {number[] | null} */
const chosen = (parts) => (swaps(parts).length > 0 ? (parts.ui.game.swap ?? null) : null)

/** @param {Parts} parts */
export function hand(parts) {
  const { state, catalogue, past } = parts
  const me = past.as === null ? parts.me : Number(past.as)
  const mine = state.territories.filter((/** @type {any} */ { owner }) => owner === me)
  const named = (/** @type {string} */ id) => catalogue?.territories.find((one) => one.id === id)
  return h(
    'ul.cards',
    null,
    cardsOf(parts).map((kind, at) => {
      const ids = mine
        .filter((/** @type {any} */ { id, actions_done: done }) => named(id)?.slots[done] === kind)
        .map((/** @type {any} */ { id }) => id)
      return card(
        parts,
        kind,
        at,
        ids,
        ids.map((/** @type {string} */ id) => named(id)?.name ?? id),
      )
    }),
  )
}

/** @param {Parts} parts @param {string} kind @param {number} at @param {string[]} ids @param {string[]} names territories whose next slot it fits */
function card(parts, kind, at, ids, names) {
  const inside = [
    icon(kind, { class: 'icon big' }),
    h('strong', null, parts.catalogue?.cards.find(({ id }) => id === kind)?.name ?? kind),
    h('small', null, names.length ? t('next_in', { names: list(names) }) : t('no_slot')),
  ]
  const picked = chosen(parts)
  const fits = names.length ? 'fits' : null
  if (picked) {
    const isIn = picked.includes(at)
    return h(
      'li.chooses',
      { key: kind + at, class: fits },
      h(
        'button',
        {
          type: 'button',
          'aria-pressed': String(isIn),
          onclick: () => {
            parts.ui.game.swap = isIn ? picked.filter((other) => other !== at) : [...picked, at].slice(-2)
            parts.redraw()
          },
        },
        inside,
      ),
    )
  }
  const act = parts.legal.filter(
    ({ command }) =>
      command.type === 'implement_action' && ids.includes(/** @type {any} */ (command).territory),
  )
  const only = act.length === 1 ? act[0] : undefined
  return h(
    'li',
    {
      key: kind + at,
      class: fits,
      onclick: only ? once(() => void parts.draft.press(only.command, only.text ?? '')) : null,
    },
    inside,
  )
}

/** The button that begins a swap, or its two buttons while cards are chosen. @param {Parts} parts */
export function swapper(parts) {
  const { state, catalogue, ui, redraw, draft } = parts
  const all = swaps(parts)
  if (all.length === 0) return null
  const isFree = state.turn.exchange === 'passing'
  const picked = chosen(parts)
  const set = (/** @type {number[] | null} */ to) => () => {
    ui.game.swap = to
    redraw()
  }
  const name = catalogue?.commands.find(({ id }) => id === 'exchange_actions')?.name ?? ''
  if (!picked) {
    return h(
      'button.trade-button',
      { type: 'button', 'data-letter': 'x', disabled: isIdle(parts), onclick: set([]) },
      icon('swap'),
      h('span', null, name, h('small', null, t(isFree ? 'swap_free' : 'swap_ends'))),
      letter('X'),
    )
  }
  const kinds = picked.map((at) => cardsOf(parts)[at])
  const same = (/** @type {any} */ { actions }) => String([...actions].sort()) === String([...kinds].sort())
  const found = all.find(({ command }) => same(command))
  return h(
    'div.buttons.swap',
    null,
    h('p', { role: 'status' }, t(picked.length < 2 ? 'swap_choose' : 'swap_ready', { n: 2 - picked.length })),
    h('button.quiet', { type: 'button', 'data-escape': '', onclick: set(null) }, t('cancel')),
    h(
      'button.main',
      {
        type: 'button',
        disabled: !found || isIdle(parts),
        onclick: once(() => {
          ui.game.swap = null
          if (found) void draft.press(found.command, found.text ?? '')
        }),
      },
      t('swap_now'),
    ),
  )
}
