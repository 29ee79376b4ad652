// Changes of the player's company by a draft.

import { number, t } from '../../base/words.js'
import { changeList } from '../../table/tray.js'
import { worth } from './worth.js'

/** @param {import('../../table/page.js').Parts} parts */
export function changes({ state, before, me, catalogue }) {
  const old = before?.companies[me ?? -1],
    now = state.companies[me ?? -1]
  if (!old || !now) return null
  /** @param {string} id */
  const area = (id) => catalogue?.areas.find((one) => one.id === id)?.name ?? id
  /** @type {[string, any, any][]} */
  const all = [
    [t('cash'), old.cash, now.cash],
    [t('loans'), old.loans, now.loans],
    [t('crates'), old.materials, now.materials],
    ...Object.keys(now.needs).map(
      (id) => /** @type {[string, any, any]} */ ([area(id), old.needs[id], now.needs[id]]),
    ),
    [t('waste'), old.waste, now.waste],
    [t('points'), worth(old), worth(now)],
  ]
  return changeList(all.map(([name, was, is]) => [name, number(was), number(is)]))
}
