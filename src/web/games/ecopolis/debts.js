// The ways to pay a debt, each with one press.

import { h } from '../../base/view.js'
import { number, t } from '../../base/words.js'
import { commandButton } from '../../table/tray.js'
import { balanceTo } from './account.js'

/** @typedef {import('../../table/page.js').Parts} Parts */
/** @typedef {import('../../types.d.ts').LegalCommand} LegalCommand */

const WAYS = new Set(['buy_credits', 'pay_in_credits', 'return_territory'])

/** Returns whether a command pays a debt. @param {Parts} parts @param {LegalCommand} legal */
export const isPayment = ({ state }, { command }) => state.debt !== null && WAYS.has(command.type)

/** @param {Parts} parts */
export function payments(parts) {
  const { state, table, me, legal } = parts
  const { debt } = state
  if (!debt) return null
  const what = debt.credits > 0 ? t('n_credits', { n: debt.credits }) : t('n_euros', { n: debt.euros })
  const name = table.name(debt.seat)
  const owed =
    debt.to === null ? t('debt_to_bank', { name, what }) : t('debt', { name, to: table.name(debt.to), what })
  const ways = legal.filter((one) => isPayment(parts, one))
  return h(
    'div.payments',
    { key: 'debt' },
    h('p', null, h('strong', null, h('bdi', { dir: 'ltr' }, owed))),
    debt.seat === me &&
      state.phase === 'debt' &&
      h('p.minor', null, t(ways.length > 0 ? 'debt_ways' : 'debt_no_way')),
    h(
      'div.commands',
      null,
      ways.map((one) => commandButton(parts, whole(one), { comes: balanceTo(parts, one.command) })),
    ),
  )
}

/** Returns the command with the most that it may buy: one press pays. @param {LegalCommand} legal @returns {LegalCommand} */
function whole(legal) {
  const { command, vary } = legal
  if (!vary || !('count' in command)) return legal
  const n = vary.max
  return {
    command: { ...command, count: n },
    vary: null,
    text: t('buy_missing', { n, euros: number(n * 100) }),
  }
}
