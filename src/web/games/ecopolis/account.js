// The balance of a seat as a function of the board (CO-3.1).

import { signed, t } from '../../base/words.js'

/**
 * Returns the balance with some territories more and some fewer.
 * @param {any} state
 * @param {import('../../types.d.ts').Catalogue | null} catalogue
 * @param {number} seat
 * @param {string[]} more
 * @param {string[]} less
 */
export function balanceAfter(state, catalogue, seat, more, less) {
  const owns = (/** @type {any} */ { id, owner }) =>
    (owner === seat && !less.includes(id)) || more.includes(id)
  const own = state.territories.filter(owns)
  const cards = catalogue?.territories ?? []
  const card = (/** @type {string} */ id) => cards.find((one) => one.id === id)
  const sum = own.reduce(
    (/** @type {number} */ all, /** @type {any} */ one) =>
      all + one.actions_done - (card(one.id)?.co2_cost ?? 0),
    0,
  )
  const areas = [...new Set(cards.map(({ area }) => area))]
  const bonus = areas
    .filter((area) => {
      const inArea = own.filter((/** @type {any} */ one) => card(one.id)?.area === area)
      return inArea.length === 3 && inArea.every((/** @type {any} */ one) => one.actions_done === 4)
    })
    .flatMap((area) => cards.filter((one) => one.area === area))
    .reduce((all, one) => all + one.bonus, 0)
  return sum + bonus
}

/**
 * Returns the effect of a command on the player's balance.
 * @param {import('../../table/page.js').Parts} parts
 * @param {any} command
 */
export function balanceTo({ state, catalogue, me }, { type, territory }) {
  if (me === null || !catalogue) return undefined
  const was = state.seats[me]?.balance ?? 0
  const here = catalogue.squares[state.seats[state.turn_seat]?.square]?.territory
  const done = state.territories.map((/** @type {any} */ one) =>
    one.id === territory ? { ...one, actions_done: one.actions_done + 1 } : one,
  )
  const is =
    type === 'buy_territory' && here
      ? balanceAfter(state, catalogue, me, [here], [])
      : type === 'return_territory'
        ? balanceAfter(state, catalogue, me, [], [territory])
        : type === 'implement_action'
          ? balanceAfter({ ...state, territories: done }, catalogue, me, [], [])
          : null
  return is === null ? undefined : t('balance_to', { was: signed(was), is: signed(is) })
}
