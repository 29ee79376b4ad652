// Connected apps: what they may do, until when, and how they are disconnected.

import { get, send } from '../base/api.js'
import { asking, oneAtATime } from '../base/asking.js'
import { h } from '../base/view.js'
import { moment, t } from '../base/words.js'
import { trouble } from './parts.js'

/** @typedef {import('../types.d.ts').App} App */

/** @param {() => void} redraw */
export function appsSection(redraw) {
  /** @type {App[]} */
  let apps = []
  const asked = asking(redraw)
  const load = async () => {
    apps = (await get('/v1/me/apps?limit=100')).items
    redraw()
  }
  void load().catch(() => null)

  /** @param {string} id */
  const disconnect = (id) =>
    asked.ask(async () => {
      await send('DELETE', `/v1/me/apps/${id}`)
      await load()
    })

  /** @param {App} app */
  const line = ({ id, name, client_id: client, scopes, expires_at: until }) =>
    h(
      'li.app',
      { key: id },
      h(
        'div',
        null,
        h('strong', null, h('bdi', null, name)),
        ' ',
        h('small', null, h('bdi', { dir: 'ltr' }, new URL(client).host)),
        h(
          'small',
          null,
          ' · ',
          scopes.map((scope) => t(`right_${/** @type {'read'} */ (scope)}`)).join(', '),
          ' · ',
          t('until', { at: moment(until) }),
        ),
      ),
      h(
        'button',
        { type: 'button', ...oneAtATime(asked), onclick: () => void disconnect(id) },
        t('disconnect'),
      ),
    )

  return () =>
    (apps.length > 0 || asked.problem) && [
      h('h3', { key: 'apps' }, t('connected_apps')),
      trouble(asked.problem),
      h('ul.lines', { key: 'apps-list' }, apps.map(line)),
    ]
}
