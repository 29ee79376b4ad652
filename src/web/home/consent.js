// Consent: another app asks for access to the account (OAuth). It gets a code only if the player allows it.

import { send } from '../base/api.js'
import { asking, oneAtATime } from '../base/asking.js'
import { links } from '../base/route.js'
import { session } from '../base/store.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { nameField } from './first.js'
import { trouble } from './parts.js'

const DAYS = /** @type {const} */ ([1, 30, 90, 365])
const FIELDS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'game',
]

/** @param {() => void} redraw @returns {import('../main.js').Page} */
export function consentPage(redraw) {
  const query = new URLSearchParams(location.search)
  const request = Object.fromEntries(
    FIELDS.flatMap((name) => (query.has(name) ? [[name, query.get(name)]] : [])),
  )
  const asked = asking(redraw)
  const name = nameField(asked)
  /** @type {import('../types.d.ts').ConsentRequest | null} */
  let wanted = null
  let days = 90
  const load = async () => {
    wanted = await send('POST', '/v1/oauth/requests', request)
    redraw()
  }
  if (session.get()) void asked.ask(load)

  const allow = () =>
    asked.ask(async () => {
      const { redirect } = await send('POST', '/v1/oauth/consents', { request, days })
      location.assign(redirect)
    })

  const first = () =>
    h(
      'form.stack',
      { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void name.enter(load)) },
      h('p', null, t('consent_needs_you')),
      name.field(),
      h('button.main.large', { type: 'submit', ...oneAtATime(asked) }, t('continue')),
      h('p.small', null, h('a', { href: links.code }, t('have_code'))),
    )

  /** @param {import('../types.d.ts').ConsentRequest} app */
  const mistaken = (app) => [
    h('p', { role: 'alert' }, t('consent_mistake', { error: app.error ?? '' })),
    h('div.buttons', null, h('a.button', { href: app.refused }, t('back_to_app'))),
  ]

  /** @param {import('../types.d.ts').ConsentRequest} app */
  const question = (app) => [
    h('p', null, t('consent_wants', { name: session.get()?.player.name ?? '' })),
    h(
      'ul.consent-rights',
      null,
      app.scopes.map((scope) => h('li', { key: scope }, t(`scope_${/** @type {'read'} */ (scope)}`))),
      app.game && h('li', null, t('scope_game')),
    ),
    h('label', { for: 'consent-days' }, t('consent_until')),
    h(
      'select',
      {
        id: 'consent-days',
        value: String(days),
        onchange: (/** @type {any} */ event) => (days = Number(event.target.value)),
      },
      DAYS.map((count) => h('option', { key: String(count), value: String(count) }, t(`days_${count}`))),
    ),
    h(
      'div.buttons',
      null,
      h(
        'button.main.large',
        { type: 'button', ...oneAtATime(asked), onclick: () => void allow() },
        t('allow'),
      ),
      h('a.button.large', { href: app.refused }, t('deny')),
    ),
    h('p.small', null, t('consent_returns'), ' ', h('bdi', { dir: 'ltr' }, app.returns_to)),
    h('p.small', null, t('consent_help')),
  ]

  return {
    title: () => t('connect_app'),
    view: () =>
      h(
        'main.narrow',
        { id: 'main' },
        h(
          'section.sheet.stack.consent',
          null,
          h('h1', null, wanted ? h('bdi', null, wanted.name ?? t('app_on_this_computer')) : t('connect_app')),
          wanted && h('p.consent-host', null, h('bdi', { dir: 'ltr' }, wanted.host)),
          trouble(asked.problem),
          session.get() === null ? first() : wanted && (wanted.error ? mistaken(wanted) : question(wanted)),
        ),
      ),
  }
}
