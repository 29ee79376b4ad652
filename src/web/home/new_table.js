// A new table: every declared option of the game, with explanations.

import { asking, oneAtATime } from '../base/asking.js'
import { go, links } from '../base/route.js'
import { newId, sitDown } from '../base/seats.js'
import { ownKey } from '../base/own_key.js'
import { h } from '../base/view.js'
import { span } from '../base/time.js'
import { t } from '../base/words.js'
import { lid } from './lids.js'
import { chooser } from './machines.js'
import { choice, rulesets, stepper, trouble } from './parts.js'

/** @typedef {import('../types.d.ts').Ruleset} Ruleset */

const HOUR = 3_600
const DAY = 24 * HOUR

/** The paces of each kind of clock, the usual one second. A live game has its time in the bank. */
const PACES = {
  day: [12 * HOUR, DAY, 2 * DAY, 3 * DAY, 7 * DAY].map((move) => ({
    move_seconds: move,
    bank_seconds: Math.max(5 * DAY, move),
  })),
  live: [15, 30, 60].map((minutes) => ({ move_seconds: minutes, bank_seconds: minutes * 60 })),
  none: [],
}

const WHO = /** @type {const} */ ({ unlisted: 'by_link', public: 'anybody', private: 'seats_only' })

/** The values of an option that have names, as its schema lists them. @param {any} schema @returns {{const: any, title: string, description: string}[]} */
const namedValues = ({ anyOf = [] }) => anyOf.filter((/** @type {any} */ one) => 'const' in one)

/** Options to choose by name come first, then simple ones. @param {any} schema */
const simplicity = (schema) => {
  const isFlag = schema.type === 'boolean'
  if (namedValues(schema).length > 0) return isFlag ? 1 : 0
  return isFlag ? 2 : isSeat(schema) ? 3 : 4
}

/** Returns whether an option takes a seat or nothing. @param {any} schema */
const isSeat = ({ oneOf }) => oneOf !== undefined

/** @param {() => void} redraw */
export function newTable(redraw) {
  /** @type {Ruleset[]} */
  let games = []
  let ruleset = 'industrial-waste'
  let seats = 2
  /** @type {keyof typeof PACES} */
  let clock = 'day'
  let pace = 1
  /** @type {keyof typeof WHO} */
  let who = 'unlisted'
  let title = ''
  let takebacks = true
  let substitutes = true
  /** Players of the other seats, from the second on. @type {(import('./machines.js').Level | '')[]} */
  let others = ['', '', '']
  /** @type {Record<string, any>} */
  let options = {}
  /** Options with a value that has no name. @type {Set<string>} */
  const own = new Set()
  const asked = asking(redraw)
  void rulesets().then((found) => {
    games = found
    redraw()
  })

  const machines = () =>
    others.slice(0, seats - 1).flatMap((level, at) => (level ? [{ seat: at + 1, level }] : []))
  /** A table of one person and bots needs neither clock nor link. */
  const isAlone = () => machines().length === seats - 1

  const create = () =>
    asked.ask(async () => {
      // The first visit may press the button before the options are loaded.
      games = await rulesets()
      const named = title.trim() ? { title: title.trim() } : {}
      const table = isAlone()
        ? { visibility: 'unlisted', clock: null, substitutes: false }
        : { clock: PACES[clock][pace] ?? null, visibility: who, substitutes }
      const rules = { name: ruleset, version: chosen()?.rules_version ?? 1 }
      const all = allOptions()
      const rated = table.visibility === 'public'
      const id = newId()
      const terms = {
        clock: table.clock,
        event: null,
        options: all,
        previous: null,
        rated,
        rules,
        seats,
        substitutes: table.substitutes,
        takebacks,
      }
      const signs = (await ownKey()) ? { id, version: rules.version } : {}
      const made = await sitDown('/v1/games', async () => ({ game: id, terms, seats: [0] }), {
        ruleset,
        seats,
        options: all,
        takebacks,
        ...named,
        bots: machines(),
        ...table,
        rated,
        ...signs,
      })
      go(links.table(made.id))
    })

  /** All options, chosen or by default. */
  function allOptions() {
    return Object.fromEntries(
      declared().map(([name, schema]) => [name, options[name] ?? schema.default ?? null]),
    )
  }

  /** Returns a function that changes a setting and redraws. @param {() => void} change */
  const set = (change) => () => {
    change()
    redraw()
  }

  /** @param {string} id @param {boolean} value @param {(value: boolean) => void} change @param {string} label @param {string} help */
  const tick = (id, value, change, label, help) =>
    h(
      'div.tick',
      { key: id },
      h(
        'label',
        null,
        h('input', {
          type: 'checkbox',
          checked: value,
          onchange: (/** @type {any} */ event) => set(() => change(event.target.checked))(),
        }),
        label,
      ),
      h('small', null, help),
    )

  /** Shows an option by its schema. @param {string} name @param {any} schema */
  function option(name, schema) {
    const value = options[name] ?? schema.default
    /** @param {any} to */
    const put = (to) => set(() => (options = { ...options, [name]: to }))()
    /** @param {import('../base/view.js').Child} control @param {import('../base/view.js').Child} [below] */
    const framed = (control, below = h('small', null, schema.description)) =>
      h('div.option', { key: name }, control, below)
    /** @param {import('../base/view.js').Child} control */
    const labelled = (control) => framed(h('label', null, schema.title, ' ', control))
    const steps = (/** @type {string} */ label) =>
      stepper({ label, value, min: schema.minimum, max: schema.maximum, change: put, id: `option-${name}` })
    const named = namedValues(schema)
    if (named.length > 0) {
      const now = own.has(name) ? undefined : named.find((one) => one.const === value)
      const mayBeOther = schema.type === 'integer'
      return framed(
        choice(
          `option-${name}`,
          schema.title,
          [
            ...named.map((one) => /** @type {[string, string]} */ ([String(one.const), one.title])),
            ...(mayBeOther ? [/** @type {[string, string]} */ (['', t('other_value')])] : []),
          ],
          String(now?.const ?? ''),
          (to) => {
            if (to === '') own.add(name)
            else own.delete(name)
            put(named.find((one) => String(one.const) === to)?.const ?? value)
          },
        ),
        now ? h('small', null, now.description) : steps(`${schema.title}: ${t('other_value')}`),
      )
    }
    if (schema.type === 'boolean') return tick(name, value, put, schema.title, schema.description)
    if (schema.type === 'integer') return framed(steps(schema.title))
    if (!isSeat(schema)) {
      // A number or nothing.
      const read = (/** @type {string} */ text) =>
        text === '' ? null : Math.min(schema.maximum, Math.max(schema.minimum, Math.trunc(Number(text))))
      return labelled(
        h('input', {
          type: 'number',
          min: schema.minimum,
          max: schema.maximum,
          value: value ?? '',
          onchange: (/** @type {any} */ event) => put(read(event.target.value)),
        }),
      )
    }
    return labelled(
      h(
        'select',
        {
          value: value === null ? '' : String(value),
          onchange: (/** @type {any} */ event) =>
            put(event.target.value === '' ? null : Number(event.target.value)),
        },
        h('option', { value: '' }, t('drawn_by_lot')),
        Array.from({ length: seats }, (_, seat) =>
          h('option', { value: String(seat) }, t('seat_n', { n: seat + 1 })),
        ),
      ),
    )
  }

  /** Says what the clock means. */
  function paceHelp() {
    const chosenPace = PACES[clock][pace]
    if (!chosenPace) return t('clock_none_help')
    const { move_seconds: move, bank_seconds: bank } = chosenPace
    return t(`clock_${clock}_help`, { move: span(move), bank: span(bank) })
  }

  const chosen = () => games.find(({ id }) => id === ruleset)
  /** Returns the options of the game with their schemas. @returns {[string, any][]} */
  const declared = () => Object.entries(/** @type {any} */ (chosen()?.options)?.properties ?? {})

  const form = () => {
    const range = chosen()?.seats ?? { min: 2, max: 4 }
    const counts = Array.from({ length: range.max - range.min + 1 }, (_, n) => String(range.min + n))
    const sorted = declared().sort(([, a], [, b]) => simplicity(a) - simplicity(b))
    return h(
      'form.new-table',
      { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void create()) },
      h(
        'fieldset.lids',
        null,
        h('legend.unseen', null, t('which_game')),
        games.map(({ id, name, summary }) =>
          h(
            'label.lid-choice',
            { key: id },
            h('input', {
              type: 'radio',
              name: 'ruleset',
              value: id,
              checked: id === ruleset,
              onchange: set(() => {
                ruleset = id
                options = {}
                own.clear()
              }),
            }),
            lid(id),
            h('span', { class: `lid-name print-${id}` }, name),
            h('small', null, summary),
          ),
        ),
      ),
      h(
        'button.large',
        { type: 'button', ...oneAtATime(asked), onclick: () => void playAgainst('middle') },
        t('play_a_bot'),
      ),
      choice(
        'seats',
        t('seats'),
        counts.map((n) => [n, n]),
        String(seats),
        (n) => set(() => (seats = Number(n)))(),
      ),
      h(
        'fieldset.options.with',
        null,
        h('legend', null, t('with_whom')),
        others
          .slice(0, seats - 1)
          .map((value, at) =>
            chooser({
              id: `seat-${at + 2}`,
              label: t('seat_n', { n: at + 2 }),
              value,
              change: (level) => set(() => (others = others.with(at, level)))(),
            }),
          ),
        h('small', null, t('machine_help')),
      ),
      !isAlone() && [
        choice(
          'clock',
          t('time'),
          [
            ['day', t('clock_day')],
            ['live', t('clock_live')],
            ['none', t('clock_none')],
          ],
          clock,
          (id) =>
            set(() => {
              clock = /** @type {keyof typeof PACES} */ (id)
              pace = 1
            })(),
        ),
        clock !== 'none' &&
          choice(
            'pace',
            t(`pace_${clock}`),
            PACES[clock].map((one, at) => [
              String(at),
              span(clock === 'day' ? one.move_seconds : one.bank_seconds),
            ]),
            String(pace),
            (at) => set(() => (pace = Number(at)))(),
          ),
        h('small', null, paceHelp()),
      ],
      sorted.filter(([, schema]) => simplicity(schema) === 0).map(([name, schema]) => option(name, schema)),
      h(
        'details.options',
        { key: 'more' },
        h('summary', null, t('more_options')),
        !isAlone() && [
          choice(
            'who',
            t('who'),
            Object.entries(WHO).map(([id, text]) => [id, t(text)]),
            who,
            (id) => set(() => (who = /** @type {keyof typeof WHO} */ (id)))(),
          ),
          h('small', null, t(`${WHO[who]}_help`)),
        ],
        sorted.filter(([, schema]) => simplicity(schema) > 0).map(([name, schema]) => option(name, schema)),
        tick('takebacks', takebacks, (to) => (takebacks = to), t('takebacks'), t('takebacks_help')),
        !isAlone() &&
          tick(
            'substitutes',
            substitutes,
            (to) => (substitutes = to),
            t('substitutes'),
            t('substitutes_help'),
          ),
        h(
          'div.option',
          null,
          h('label', { for: 'title' }, t('title_of_table')),
          h('input', {
            id: 'title',
            value: title,
            maxlength: '100',
            autocomplete: 'off',
            oninput: (/** @type {any} */ event) => (title = event.target.value),
          }),
        ),
      ),
      trouble(asked.problem),
      h(
        'button.main.large',
        { type: 'submit', ...oneAtATime(asked) },
        isAlone() ? t('play_now') : t('set_up'),
      ),
    )
  }

  /** A game of two at once. @param {import('./machines.js').Level} level */
  async function playAgainst(level) {
    seats = 2
    others = [level, '', '']
    await create()
  }

  return {
    form,
    create,
    playAgainst,
    choose: (/** @type {string} */ id) =>
      set(() => {
        ruleset = id
        options = {}
        own.clear()
      })(),
    ruleset: () => ruleset,
  }
}
