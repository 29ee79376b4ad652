// What a draft changes about my seat.

import { h } from '../../base/view.js'
import { number, signed, t } from '../../base/words.js'

/** @param {import('../../table/page.js').Parts} parts */
export function changes({ state, before, me }) {
  const old = before?.seats[me ?? -1], now = state.seats[me ?? -1]
  if (!old || !now) return null
  /** @type {[string, string, string][]} */
  const all = [[t('balance'), signed(old.balance), signed(now.balance)], [t('credits'), number(old.credits), number(now.credits)], [t('euros'), number(old.euros), number(now.euros)]]
  const real = all.filter(([, was, is]) => was !== is)
  if (real.length === 0) return null
  return h('div.changes', null, h('h3', null, t('what_changes')),
    h('dl', null, real.map(([name, was, is]) => h('div', { key: name }, h('dt', null, name), h('dd', null, `${was} → `, h('strong', null, is))))),
    h('p.small', null, t('nobody_sees_draft')))
}
