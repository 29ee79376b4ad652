// Industrial Waste: the common board and the tray side by side, below them a mat for each company.

import { h } from '../../base/view.js'
import { t } from '../../base/words.js'
import { board } from './board.js'
import { figure } from './figures.js'
import { mats } from './mats.js'
import { moment } from './moments.js'
import { tray } from './tray.js'
import { warnings } from './warnings.js'
import { worth } from './worth.js'

/** @type {import('../prints.js').Print} */
export const industrialWaste = {
  kind: 'industrial-waste',
  figure,
  moment,
  warnings,
  board: (parts) => [h('div.top', null, board(parts), tray(parts)), mats(parts)],
  seats: () => ['mats-title', t('companies')],
  won: (name, n) => t('wins_points', { name, n }),
  unit: () => t('points'),
  total: (entry) => entry.score,
  scoring: 'IW-11.3',
  curve: () => t('if_ended'),
  needsEyes: true,
  rows: (catalogue) => {
    const area = (/** @type {string} */ id) =>
      catalogue?.areas.find((/** @type {any} */ one) => one.id === id)?.name ?? id
    return [
      [t('growth'), ({ parts }) => parts.growth],
      [area('rationalization'), ({ parts }) => parts.rationalization],
      [area('raw_materials'), ({ parts }) => parts.raw_materials],
      [area('waste_reduction'), ({ parts }) => parts.waste_reduction],
      [t('half_cash'), ({ parts }) => parts.cash],
      [t('loans_cost'), ({ parts }) => parts.loans],
    ]
  },
  worth: (state, seat) => worth(state?.companies[seat]),
}
