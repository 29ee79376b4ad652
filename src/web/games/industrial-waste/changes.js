// What a draft changes about my company, in words and numbers.

import { h } from '../../base/view.js'
import { number, t } from '../../base/words.js'
import { worth } from './print.js'

/** @param {import('../../table/page.js').Parts} parts */
export function changes({ state, before, me, catalogue }) {
  const old = before?.companies[me ?? -1], now = state.companies[me ?? -1]
  if (!old || !now) return null
  /** @param {string} id */
  const area = (id) => catalogue?.areas.find((one) => one.id === id)?.name ?? id
  /** @type {[string, any, any][]} */
  const all = [
    [t('cash'), old.cash, now.cash], [t('loans'), old.loans, now.loans], [t('crates'), old.materials, now.materials],
    ...Object.keys(now.needs).map((id) => /** @type {[string, any, any]} */ ([area(id), old.needs[id], now.needs[id]])),
    [t('waste'), old.waste, now.waste], [t('points'), worth(old), worth(now)],
  ]
  const real = all.filter(([, was, is]) => was !== is)
  if (real.length === 0) return null
  return h('div.changes', null, h('h3', null, t('what_changes')),
    h('dl', null, real.map(([name, was, is]) => h('div', { key: name }, h('dt', null, name), h('dd', null, `${number(was)} → `, h('strong', null, number(is)))))),
    h('p.small', null, t('nobody_sees_draft')))
}
