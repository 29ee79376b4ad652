// Targets of links in mails: an address is confirmed or removed by a click, so that mail scanners cannot do
// it.

import { send } from '../base/api.js'
import { asking, oneAtATime } from '../base/asking.js'
import { links } from '../base/route.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { trouble } from './parts.js'

/** @param {{what: 'confirm' | 'unsubscribe', code: string}} route @param {() => void} redraw @returns {import('../main.js').Page} */
export function mailPage({ what, code }, redraw) {
  let done = false
  const asked = asking(redraw)
  const act = () =>
    asked.ask(async () => {
      if (what === 'confirm') await send('POST', '/v1/mail/confirmations', { code })
      else await send('POST', `/v1/mail/unsubscriptions?code=${encodeURIComponent(code)}`)
      done = true
    })
  return {
    title: () => t('by_mail'),
    view: () =>
      h(
        'main.narrow',
        { id: 'main' },
        h(
          'section.sheet.stack',
          null,
          h('h1', null, t('by_mail')),
          trouble(asked.problem),
          done
            ? [
                h('p', { role: 'status' }, t(`mail_${what}_done`)),
                h('div.buttons', null, h('a.button', { href: links.home }, t('to_my_games'))),
              ]
            : [
                h('p', null, t(`mail_${what}_ask`)),
                h(
                  'div.buttons',
                  null,
                  h(
                    'button.main.large',
                    { type: 'button', ...oneAtATime(asked), onclick: () => void act() },
                    t(`mail_${what}`),
                  ),
                ),
              ],
        ),
      ),
  }
}
