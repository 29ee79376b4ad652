// The tray: legal commands as buttons, with the texts of the API.

import { line } from '../base/api.js'
import { letter } from '../base/keys.js'
import { h, said } from '../base/view.js'
import { signed, t } from '../base/words.js'
import { stepper } from '../home/parts.js'
import { gist } from './sentences.js'

/** @typedef {import('./page.js').Parts} Parts */
/** @typedef {import('../types.d.ts').LegalCommand} LegalCommand */

/** Commands that need a confirmation. */
const GRAVE = new Set(['declare_bankruptcy'])

/** Shortcut letters of frequent commands. @type {Record<string, string>} */
const LETTERS = {
  take_loan: 'L',
  bid: 'B',
  pass_bid: 'P',
  accept_accident: 'A',
  bribe: 'B',
  end_turn: 'E',
  roll: ' ',
}

/**
 * Returns the shortcut of a command: its letter, or its number in the tray.
 * @param {Parts} parts
 * @param {string} type
 */
function keyOf(parts, type) {
  parts.digit += 1
  const key = LETTERS[type] ?? (parts.digit < 10 ? String(parts.digit) : null)
  return {
    'data-digit': String(parts.digit),
    'data-letter': LETTERS[type]?.toLowerCase() ?? null,
    shown: key && letter(key === ' ' ? '␣' : key),
  }
}

/** Presses a button of the tray. Returns whether it exists. @param {string} which */
export function press(which) {
  const button = document.querySelector(`.tray ${which}`)
  if (!(button instanceof HTMLButtonElement)) return false
  button.click()
  return true
}

/** Returns the shortcuts of the tray. @returns {import('../base/keys.js').Keys} */
export const trayKeys = () => ({
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, n) => [String(n + 1), () => void press(`[data-digit="${n + 1}"]`)]),
  ),
  ...Object.fromEntries(
    [...Object.values(LETTERS), 'T', 'X']
      .map((letter) => letter.toLowerCase())
      .map((key) => [key, () => void press(`[data-letter="${key}"]`)]),
  ),
})

/** Ignores the second click of a double click, which could hit another move. @param {() => void} act */
export const once = (act) => (/** @type {MouseEvent} */ event) => {
  if (event.detail < 2) act()
}

/**
 * Returns whether nothing can be pressed: a move is being sent, nothing may follow the draft, or the server
 * is not reachable.
 * @param {Parts} parts
 */
export const isIdle = ({ table, draft }) => table.sending || draft.isClosed() || line.state !== 'well'

/**
 * Returns the button of a command. A command with a range gets a stepper.
 * @param {Parts} parts
 * @param {LegalCommand} legal
 * @param {{label?: import('../base/view.js').Child, class?: string, keyless?: boolean, hidden?: boolean, comes?: string | undefined}} [look] what comes of it may be said as well
 */
export function commandButton(parts, legal, look = {}) {
  const { draft, ui } = parts
  const name = JSON.stringify(legal.command)
  const { vary } = legal
  if (vary && vary.max > vary.min) return rangeButton(parts, legal, name)
  if (GRAVE.has(legal.command.type)) return graveButton(parts, legal, name)
  const { shown, ...keys } = look.keyless ? { shown: null } : keyOf(parts, legal.command.type)
  return h(
    'button.command',
    {
      type: 'button',
      key: name,
      class: [look.class, ui.pointed === name && 'pointed'].filter(Boolean).join(' ') || null,
      ...keys,
      disabled: isIdle(parts),
      onclick: once(() => void draft.press(legal.command, legal.text ?? legal.command.type)),
      onpointerenter: () => point(parts, name),
      onpointerleave: () => point(parts, null),
      'aria-description': look.comes,
      tabindex: look.hidden ? '-1' : null,
    },
    look.label
      ? said(legal.text, look.label)
      : h('span', null, legal.text, look.comes && h('small', { 'aria-hidden': 'true' }, look.comes)),
    shown,
  )
}

/** @param {Parts} parts @param {string | null} name */
export function point(parts, name) {
  if (parts.ui.pointed === name) return
  parts.ui.pointed = name
  parts.redraw()
}

/** @param {Parts} parts @param {LegalCommand} legal @param {string} name */
function rangeButton(parts, legal, name) {
  const { draft, ui, catalogue } = parts
  const { field = '', min = 0, max = 0 } = legal.vary ?? {}
  const type = legal.command.type
  const listed = /** @type {any} */ (legal.command)[field]
  const wanted = ui.amounts[type] ?? listed
  const amount = Math.min(max, Math.max(min, wanted))
  const called = catalogue?.commands.find(({ id }) => id === type)?.name ?? type
  const text = amount === listed ? (legal.text ?? called) : `${called}: ${amount}`
  const { shown, ...keys } = keyOf(parts, type)
  return h(
    'div.range',
    { key: name },
    stepper({
      label: called,
      value: amount,
      min,
      max,
      id: `range-${type}`,
      hidden: true,
      change: (value) => {
        ui.amounts[type] = value
        parts.redraw()
      },
    }),
    h(
      'button.command',
      {
        type: 'button',
        ...keys,
        disabled: isIdle(parts),
        onclick: once(() => {
          // The next time starts from the beginning.
          delete ui.amounts[type]
          void draft.press({ ...legal.command, [field]: amount }, text)
        }),
      },
      h('span', null, text),
      shown,
    ),
  )
}

/** @param {Parts} parts @param {LegalCommand} legal @param {string} name */
function graveButton(parts, legal, name) {
  const { ui, draft, redraw } = parts
  const ask = (/** @type {boolean} */ on) => () => {
    ui.sure = on ? name : null
    redraw()
  }
  if (ui.sure !== name)
    return h(
      'button.command.grave',
      { type: 'button', key: name, disabled: isIdle(parts), onclick: ask(true) },
      h('span', null, legal.text),
    )
  return h(
    'div.sure',
    { key: name, role: 'alertdialog', 'aria-label': legal.text },
    h('p', null, t('bankruptcy_sure')),
    h(
      'button.command.grave',
      { type: 'button', onclick: () => (ask(false)(), void draft.press(legal.command, legal.text ?? '')) },
      t('bankruptcy_yes'),
    ),
    h('button', { type: 'button', made: takeFocus, onclick: ask(false) }, t('no')),
  )
}

/**
 * Focuses the harmless button of a question, so that a screen reader reads the question. A microtask runs
 * after the drawing and before the next key. A later focus could take a key meant for another button.
 * @param {Element} button
 */
export const takeFocus = (button) => queueMicrotask(() => button instanceof HTMLElement && button.focus())

/** Returns buttons for all commands. @param {Parts} parts @param {LegalCommand[]} legal */
export const commands = (parts, legal) =>
  h(
    'div.commands',
    null,
    legal.map((one) => commandButton(parts, one)),
  )

/** Describes a position without commands: a past entry, or the end. @param {Parts} parts */
export function moment({ table, past, state }) {
  const seq = past.seq ?? table.items.at(-1)?.seq ?? 0
  const item = table.items.find((one) => one.seq === seq)
  return [
    h('h2', { id: 'tray-title', tabindex: '-1' }, t('round_and_entry', { n: state.round, seq })),
    h('p.moment', null, h('bdi', { dir: 'ltr' }, gist(item))),
  ]
}

/** Returns whether the position can only be viewed. @param {Parts} parts */
export const isLook = ({ past, playback, table }) =>
  past.seq !== null || past.as !== null || playback.now !== null || table.game?.status === 'finished'

/** The tray of a game without its own boards. @param {Parts} parts */
export function plainTray(parts) {
  return h(
    'section.tray',
    { id: 'tray', 'aria-labelledby': 'tray-title' },
    h('h2', { id: 'tray-title', tabindex: '-1' }, t('your_moves')),
    commands(parts, parts.legal),
  )
}

/** Returns the changes of a draft: name, old and new value. @param {[string, string, string][]} all */
export function changeList(all) {
  const real = all.filter(([, was, is]) => was !== is)
  if (real.length === 0) return null
  return h(
    'div.changes',
    null,
    h('h3', null, t('what_changes')),
    h(
      'dl',
      null,
      real.map(([name, was, is]) =>
        h('div', { key: name }, h('dt', null, name), h('dd', null, `${was} → `, h('strong', null, is))),
      ),
    ),
    h('p.small', null, t('nobody_sees_draft')),
  )
}

/**
 * Returns how a number changed since the player's last move.
 * @param {number | null | undefined} was
 * @param {number | null} is
 */
export const delta = (was, is) =>
  was === undefined || was === null || is === null || was === is
    ? null
    : h('small.delta', { class: is > was ? 'up' : 'down', title: t('since_your_turn') }, signed(is - was))

/** Returns a number with its change. @param {any} before @param {any} after */
export const changed = (before, after) =>
  before === undefined || before === null || before === after
    ? String(after)
    : [h('s', null, String(before)), ' ', h('ins', null, String(after))]
