// Warnings before it is too late: a loan that the basic costs will force, and the colour of the waste.

import { list, t } from '../../base/words.js'

/** Costs of an accident in each zone: cash and columns (IW-8.1). @type {Record<string, [number, number]>} */
const FINES = { yellow: [5, 1], red: [10, 2] }

/** The zone of an amount of waste (IW-1.5). @param {number} waste */
export const zoneOf = (waste) => (waste < 9 ? 'green' : waste < 13 ? 'yellow' : 'red')

/** @param {string} zone */
const harm = (zone) => {
  const [cash, columns] = FINES[zone] ?? [0, 0]
  return list([t('felt_money', { n: cash }), t('felt_columns', { n: columns })])
}

/** @param {import('../../table/page.js').Parts} parts @returns {string[]} */
export function warnings({ state, me }) {
  const company = me === null ? null : state?.companies[me]
  if (!company || state.phase === 'finished') return []
  const short = company.row - company.cash
  const loans = Math.ceil(short / 10)
  return [
    ...(short > 0 && state.phase !== 'final_accident'
      ? [t('warn_loan', { short, n: loans, points: 10 * loans })]
      : []),
    ...(company.zone === 'green' || state.phase.endsWith('accident')
      ? []
      : [t('warn_zone', { harm: harm(company.zone) })]),
  ]
}

/**
 * Returns the zone into which an order leads, if it is another one.
 * @param {any} command
 * @param {{waste: number, zone: string, needs: {waste_reduction: number}}} company
 */
export function zoneAfter({ type }, { waste, zone, needs }) {
  if (type !== 'complete_order') return undefined
  const after = zoneOf(waste + needs.waste_reduction)
  return after === zone ? undefined : t('warn_order', { harm: harm(after) })
}
