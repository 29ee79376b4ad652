// Warnings before it is too late: what VIA will charge.

import { number, signed, t } from '../../base/words.js'

/** Squares from which a throw may reach VIA. */
const NEAR = 28

/** @param {import('../../table/page.js').Parts} parts @returns {string[]} */
export function warnings({ state, me }) {
  const own = me === null ? null : state?.seats[me]
  if (!own || own.eliminated || own.balance >= 0 || own.square < NEAR) return []
  return [t('warn_via', { balance: signed(own.balance), n: -own.balance, has: number(own.credits) })]
}
