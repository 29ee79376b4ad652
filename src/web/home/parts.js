// Parts of several pages.

import { keep, line } from '../base/api.js'
import { seatShape } from '../base/icons.js'
import { inbox } from '../base/inbox.js'
import { links } from '../base/route.js'
import { session } from '../base/store.js'
import { h } from '../base/view.js'
import { list, t } from '../base/words.js'

/** @typedef {import('../types.d.ts').Game} Game */
/** @typedef {import('../types.d.ts').Ruleset} Ruleset */

/** @returns {Promise<Ruleset[]>} */
export const rulesets = async () => (await keep('/v1/rulesets')).items

/**
 * Returns the options of a table that differ from the usual, in words.
 * @param {Record<string, any>} options
 * @param {Ruleset | undefined} ruleset
 */
export function unusual(options, ruleset) {
  const schema = /** @type {any} */ (ruleset?.options)?.properties ?? {}
  return Object.entries(options)
    .filter(([name, value]) => name !== 'first_seat' && value !== (schema[name]?.default ?? null))
    .map(([name, value]) => {
      const { title = name, anyOf = [] } = schema[name] ?? {}
      const named = anyOf.find((/** @type {any} */ one) => one.const === value)
      return named?.title ?? (value === true ? title : `${title}: ${value}`)
    })
}

/**
 * A player, as the API shows it.
 * @typedef {{name: string | null, bot: boolean, level?: import('./machines.js').Level | null}} Shown
 */

/** Shows the name of a player, with a mark for bots. @param {Shown | null | undefined} player */
export const nameOf = (player) => [
  h('bdi.name', { title: player?.name ?? null }, player?.name ?? t('somebody')),
  player?.bot && h('small.machine', null, botLabel(player)),
]

/** Returns the mark of a bot, with its level if the server plays it. @param {Shown} player */
export const botLabel = ({ level }) => (level ? t('machine_of_level', { level: t(level) }) : t('machine'))

/** Returns the names of the other players. @param {Game} game */
export function others(game) {
  const me = session.get()?.player.id
  const named = (/** @type {Shown} */ { name, bot }) =>
    bot ? t('machine_named', { name: name ?? '' }) : (name ?? t('somebody'))
  const names = game.seats
    .filter(({ player }) => player && player.id !== me)
    .map(({ player }) => (player ? named(player) : ''))
  return names.length ? t('with_players', { names: list(names) }) : t('alone')
}

/** Returns the names at a table. @param {Game} game */
export const namesOf = (game) =>
  list(game.seats.flatMap(({ player }) => (player ? [player.name ?? t('somebody')] : [])))

/** The seats of a table, taken and free. @param {Game} game */
export function seatRow(game) {
  const taken = game.seats.filter(({ player }) => player).length
  return h(
    'span.seat-row',
    { role: 'img', 'aria-label': t('seats_taken', { n: taken, of: game.seats.length }) },
    game.seats.map(({ seat, player }) => seatShape(seat, !player)),
  )
}

/**
 * A choice among several values.
 * @param {string} name
 * @param {string} legend
 * @param {[string, import('../base/view.js').Child][]} choices
 * @param {string} value
 * @param {(value: string) => void} choose
 */
export function choice(name, legend, choices, value, choose) {
  return h(
    'fieldset.choice',
    null,
    h('legend', null, legend),
    h(
      'div.choices',
      null,
      choices.map(([id, text]) =>
        h(
          'label',
          { key: id },
          h('input', { type: 'radio', name, value: id, checked: id === value, onchange: () => choose(id) }),
          h('span', null, text),
        ),
      ),
    ),
  )
}

/**
 * A number with buttons for more and less.
 * @param {{label: string, value: number, min: number, max: number, step?: number, change: (value: number) => void, id: string, hidden?: boolean}} of
 */
export function stepper({ label, value, min, max, step = 1, change, id, hidden }) {
  /** @param {number} to */
  const set = (to) => change(Math.min(max, Math.max(min, Math.round(to / step) * step || 0)))
  return h(
    'div.stepper',
    { key: id },
    h('label', { for: id, class: hidden ? 'unseen' : null }, label),
    h(
      'span.steps',
      null,
      h(
        'button',
        {
          type: 'button',
          'aria-label': t('less', { what: label }),
          disabled: value <= min,
          onclick: () => set(value - step),
        },
        '−',
      ),
      h('input', {
        id,
        inputmode: 'numeric',
        autocomplete: 'off',
        value: String(value),
        // A typed number counts at once, so the button shows the number that it sends.
        oninput: (/** @type {any} */ event) => {
          const typed = Number.parseInt(event.target.value, 10)
          if (String(typed) === event.target.value && typed >= min && (typed > max || typed % step === 0))
            change(Math.min(typed, max))
        },
        onchange: (/** @type {any} */ event) => set(Number.parseInt(event.target.value, 10) || min),
        onkeydown: (/** @type {any} */ event) => {
          if (event.key === 'ArrowUp') set(value + step)
          else if (event.key === 'ArrowDown') set(value - step)
          else return
          event.preventDefault()
        },
      }),
      h(
        'button',
        {
          type: 'button',
          'aria-label': t('more', { what: label }),
          disabled: value >= max,
          onclick: () => set(value + step),
        },
        '+',
      ),
    ),
  )
}

/** Shows a request for a rematch, with the player if known. @param {import('../types.d.ts').Game} game */
export function rematchWaits(game, by = inbox.rematches.get(game.id)) {
  const player = game.seats.find((seat) => seat.player?.id === by)?.player
  return t('rematch_waits', { name: player?.name ?? t('one_who_played') })
}

/** Shows a refusal, with its rule. @param {any} problem @param {string} [ruleset] */
export function trouble(problem, ruleset) {
  // The bar under the header tells of a missing connection and of a suspension.
  if (!problem || (problem.status === 0 && line.state === 'lost') || problem.code === 'suspended') return null
  const rule = problem.rule
  return h(
    'p.trouble',
    { key: 'trouble', role: 'alert' },
    problem.status === 0 ? t('lost') : problem.message,
    rule && ruleset && [' ', h('a', { href: links.rules(ruleset, rule) }, rule)],
  )
}

/**
 * Copies a text, and shows the success on the button for a while.
 * @param {string} text
 * @param {any} event
 * @param {string} said
 */
export async function copy(text, event, said) {
  const button = event.currentTarget
  const isCopied =
    (await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )) || copyOldWay(text)
  button.setAttribute('data-said', isCopied ? said : t('not_copied'))
  button.toggleAttribute('data-failed', !isCopied)
  setTimeout(() => button.removeAttribute('data-said'), isCopied ? 1500 : 4000)
}

/** A page without TLS has no clipboard, but can copy a selection. @param {string} text */
function copyOldWay(text) {
  const was = document.activeElement
  const field = document.body.appendChild(document.createElement('textarea'))
  field.value = text
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (was instanceof HTMLElement) was.focus({ preventScroll: true })
  return isCopied
}
