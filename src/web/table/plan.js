// Plans: commands for an absent player, by phase, if they are legal then.

import { get, send } from '../base/api.js'
import { oneAtATime } from '../base/asking.js'
import { icon } from '../base/icons.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { stepper } from '../home/parts.js'

/** @typedef {{phase: string, command: Record<string, any>, up_to?: number}} PlanRule */

/** Commands that can be planned without knowing the position: at most a number is open. */
const SAYABLE = /** @type {Record<string, {phase: string, command: {type: string}, open?: number}[]>} */ ({
  'industrial-waste': [
    { phase: 'auction', command: { type: 'bid' }, open: 50 },
    { phase: 'auction', command: { type: 'pass_bid' } },
    { phase: 'accident', command: { type: 'accept_accident' } },
    { phase: 'accident', command: { type: 'bribe' } },
  ],
  ecopolis: [
    { phase: 'trade', command: { type: 'reject_trade' } },
    { phase: 'roll', command: { type: 'roll' } },
    { phase: 'square', command: { type: 'end_turn' } },
  ],
})

/** @param {import('./model.js').Table} table @param {() => void} redraw */
export function openPlan(table, redraw) {
  /** @type {PlanRule[] | null} */
  let kept = null
  /** @type {PlanRule[]} */
  let rules = []
  let isOpen = false
  let limit = 5
  const plan = {
    load,
    isSet: () => kept !== null,
    button,
    sheet,
    close: () => {
      if (!isOpen) return false
      isOpen = false
      redraw()
      return true
    },
  }

  async function load() {
    if (table.me() === null || table.game?.status !== 'running') return
    kept = (await get(`${table.path}/plan`)).rules
    rules = kept ?? []
    redraw()
  }

  const sayable = () => SAYABLE[table.game?.ruleset ?? ''] ?? []

  const keepPlan = () =>
    void table.ask(async () => {
      const { signed } = await table.consent({ type: 'plan', rules })
      await send('PUT', `${table.path}/plan`, { rules, ...signed })
      await load()
      isOpen = false
    })
  const dropPlan = () =>
    void table.ask(async () => {
      await send('DELETE', `${table.path}/plan`)
      await load()
      isOpen = false
    })

  /** @param {PlanRule[]} next */
  const set = (next) => () => {
    rules = next
    redraw()
  }

  function button() {
    if (table.me() === null || table.game?.status !== 'running' || sayable().length === 0) return null
    const toggle = () => {
      isOpen = !isOpen
      redraw()
    }
    return h(
      'button.quiet',
      { type: 'button', 'aria-expanded': String(isOpen), onclick: toggle },
      icon('plan'),
      kept ? t('plan_set') : t('plan'),
    )
  }

  /** @param {PlanRule} rule */
  function words({ phase, command, up_to }) {
    const { catalogue } = table
    const when = catalogue?.phases.find(({ id }) => id === phase)?.name ?? phase
    const what = catalogue?.commands.find(({ id }) => id === command.type)?.name ?? command.type
    return `${t('plan_when', { phase: when })}: ${what}${up_to === undefined ? '' : ` ${t('plan_up_to', { n: up_to })}`}`
  }

  function sheet() {
    if (!isOpen) return null
    return h(
      'section.sheet.plan',
      { key: 'plan', 'aria-labelledby': 'plan-title' },
      h('h2', { id: 'plan-title' }, t('plan_title')),
      h('p.small', null, t('plan_help')),
      rules.length === 0
        ? h('p', null, t('plan_empty'))
        : h(
            'ol',
            null,
            rules.map((rule, at) =>
              h(
                'li',
                { key: `${at}` },
                words(rule),
                ' ',
                h(
                  'button.quiet',
                  {
                    type: 'button',
                    'aria-label': `${t('remove')}: ${words(rule)}`,
                    onclick: set(rules.filter((_, other) => other !== at)),
                  },
                  t('remove'),
                ),
              ),
            ),
          ),
      h(
        'ul.sayable',
        null,
        sayable().map(({ phase, command, open }) => {
          const rule = { phase, command, ...(open === undefined ? {} : { up_to: limit }) }
          return h(
            'li',
            { key: phase + command.type },
            open !== undefined &&
              stepper({
                label: t('limit'),
                value: limit,
                min: 1,
                max: open,
                id: 'plan-limit',
                hidden: true,
                change: (value) => {
                  limit = value
                  redraw()
                },
              }),
            h('button', { type: 'button', onclick: set([...rules, rule]) }, words(rule)),
          )
        }),
      ),
      h(
        'div.buttons',
        null,
        h(
          'button.main',
          { type: 'button', disabled: rules.length === 0, ...oneAtATime(table), onclick: keepPlan },
          t('plan_keep'),
        ),
        kept && h('button', { type: 'button', ...oneAtATime(table), onclick: dropPlan }, t('plan_drop')),
        h('button', { type: 'button', onclick: plan.close }, t('close')),
      ),
    )
  }

  return plan
}

/** @typedef {ReturnType<typeof openPlan>} Plans */
