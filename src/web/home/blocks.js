// Blocked players, and the export of the account.

import { all, get, send } from '../base/api.js'
import { asking, oneAtATime } from '../base/asking.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { trouble } from './parts.js'

/** @typedef {import('../types.d.ts').Block} Block */

/** @param {() => void} redraw */
export function blocksSection(redraw) {
  /** @type {Block[]} */
  let blocks = []
  const asked = asking(redraw)
  const load = async () => {
    blocks = await all('/v1/me/blocks', 500)
    redraw()
  }
  void load().catch(() => null)

  /** @param {string} id */
  const unblock = (id) =>
    asked.ask(async () => {
      await send('DELETE', `/v1/me/blocks/${id}`)
      await load()
    })

  const download = () =>
    asked.ask(async () => {
      const data = JSON.stringify(await get('/v1/me/export'), null, 2)
      const address = URL.createObjectURL(new Blob([data], { type: 'application/json' }))
      const link = document.createElement('a')
      link.href = address
      link.download = 'playledger.json'
      link.click()
      setTimeout(() => URL.revokeObjectURL(address), 1000)
    })

  return () => [
    blocks.length > 0 && h('h3', { key: 'blocks' }, t('blocked_players')),
    blocks.length > 0 &&
      h(
        'ul.lines',
        { key: 'blocks-list' },
        blocks.map(({ player, name }) =>
          h(
            'li.app',
            { key: player },
            h('bdi', null, name ?? t('somebody')),
            h(
              'button',
              { type: 'button', ...oneAtATime(asked), onclick: () => void unblock(player) },
              t('unblock'),
            ),
          ),
        ),
      ),
    h('h3', { key: 'export' }, t('your_data')),
    h('p.small', { key: 'export-help' }, t('your_data_help')),
    h(
      'button',
      { key: 'export-button', type: 'button', ...oneAtATime(asked), onclick: () => void download() },
      t('download_data'),
    ),
    trouble(asked.problem),
  ]
}
