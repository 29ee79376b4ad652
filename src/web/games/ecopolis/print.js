// The boards of Ecopolis: the ring around the province, the tray, and the standings.

import { h } from '../../base/view.js'
import { t } from '../../base/words.js'
import { balances } from './balance.js'
import { board } from './board.js'
import { figure } from './figures.js'
import { moment } from './moments.js'
import { territories } from './territories.js'
import { tray } from './tray.js'
import { warnings } from './warnings.js'

/**
 * Returns the commands of these types, at most two.
 * @param {import('../../types.d.ts').LegalCommand[]} legal
 * @param {string[]} types
 */
const named = (legal, types) =>
  types.flatMap((type) => legal.find(({ command }) => command.type === type) ?? []).slice(0, 2)

/** @type {import('../prints.js').Print} */
export const ecopolis = {
  kind: 'ecopolis',
  figure,
  primary: ({ legal }) => named(legal, ['roll', 'buy_territory', 'accept_trade', 'end_turn']),
  moment,
  warnings,
  board: (parts) =>
    h('div.ring-and-side', null, board(parts), h('div.beside', null, tray(parts), balances(parts))),
  more: territories,
  seats: () => ['balance-title', t('players')],
  won: (name, n, state) => {
    const isLast = state?.seats.filter((/** @type {any} */ { eliminated }) => !eliminated).length === 1
    return t(isLast ? 'wins_last' : 'wins_balance', { name, n })
  },
  unit: () => t('balance'),
  total: (entry) => entry.balance,
  scoring: 'CO-9.4',
  curve: () => t('balance'),
  rows: () => [
    [t('credits'), ({ credits }) => credits],
    [t('euros'), ({ euros }) => euros],
  ],
  worth: (state, seat) => state?.seats[seat]?.balance ?? null,
}
