// Settings of notifications: in this browser, by mail, by webhook, and quiet hours.

import { send } from '../base/api.js'
import { asking, oneAtATime } from '../base/asking.js'
import { begin, end, isPossible, notifications, ownId } from '../base/push.js'
import { h } from '../base/view.js'
import { language, t } from '../base/words.js'
import { trouble } from './parts.js'
import { webhooks } from './webhooks.js'

/** @typedef {import('../types.d.ts').Notifications} Notifications */

/** @param {Record<string, any>} settings */
const change = (settings) => send('PATCH', '/v1/me/notifications', settings)

const offset = () => -new Date().getTimezoneOffset()

/** @param {string} address @param {string} [digest] the time of one mail a day, instead of one for each turn */
export const tellByMail = (address, digest) =>
  change({
    mail: {
      address: address.trim(),
      lang: language(),
      utc_offset: offset(),
      deadlines_at_once: true,
      ...(digest ? { digest } : {}),
    },
  })

/** @param {() => void} redraw */
export function toldSection(redraw) {
  /** @type {Notifications | null} */
  let how = null
  const asked = asking(redraw)
  let denied = false
  /** @type {'mail' | 'quiet' | null} */
  let open = null
  const mail = { address: '', digest: '' }
  const quiet = { from: '22:00', to: '08:00' }
  const hooks = webhooks(null, null, redraw)

  const load = async () => {
    how = await notifications()
    mail.address = how?.mail?.address ?? ''
    mail.digest = how?.mail?.digest ?? ''
    if (how?.quiet) Object.assign(quiet, { from: how.quiet.from, to: how.quiet.to })
    redraw()
  }
  /** @param {() => Promise<any>} act */
  const attempt = (act) => () =>
    asked.ask(async () => {
      await act()
      open = null
      await load()
    })

  const tellHere = attempt(async () => {
    denied = false
    denied = !(await begin(how?.push_key ?? ''))
  })
  const tellNoMore = attempt(end)
  const test = attempt(() => send('POST', `/v1/me/pushes/${ownId()}/test`))
  const setMail = attempt(() => tellByMail(mail.address, mail.digest))
  const dropMail = attempt(() => change({ mail: null }))
  const setQuiet = attempt(() => change({ quiet: { ...quiet, utc_offset: offset() } }))
  const dropQuiet = attempt(() => change({ quiet: null }))

  /** @param {'mail' | 'quiet'} which */
  const turn = (which) => () => {
    open = open === which ? null : which
    redraw()
  }

  function here() {
    const own = how?.push.find(({ id }) => id === ownId())
    const isOn = own && own.state !== 'off'
    const others = how?.push.filter(({ id }) => id !== ownId()) ?? []
    return h(
      'div.way',
      { key: 'push' },
      h('h3', null, t('told_here')),
      !isPossible()
        ? h('p.small', null, t('told_here_not'))
        : isOn
          ? h(
              'div.buttons',
              null,
              h('span.state', { role: 'status' }, t(own.state === 'on' ? 'told_here_on' : 'told_here_waits')),
              h('button', { type: 'button', ...oneAtATime(asked), onclick: () => void test() }, t('try_it')),
              h(
                'button',
                { type: 'button', ...oneAtATime(asked), onclick: () => void tellNoMore() },
                t('stop'),
              ),
            )
          : h(
              'div.buttons',
              null,
              h(
                'button',
                { type: 'button', ...oneAtATime(asked), onclick: () => void tellHere() },
                t('tell_me_here'),
              ),
            ),
      denied && h('p.trouble', { role: 'alert' }, t('told_here_denied')),
      others.length > 0 &&
        h(
          'ul.lines',
          null,
          others.map(({ id, name, state }) =>
            h(
              'li',
              { key: id },
              h('span', null, name || t('a_browser'), state === 'off' && ` · ${t('off')}`),
              h(
                'button.button',
                {
                  type: 'button',
                  ...oneAtATime(asked),
                  onclick: () => void attempt(() => send('DELETE', `/v1/me/pushes/${id}`))(),
                },
                t('stop'),
              ),
            ),
          ),
        ),
    )
  }

  function byMail() {
    if (!how?.has_mail) return null
    const known = how.mail
    const state =
      known &&
      {
        unproved: t('mail_waits', { address: known.address }),
        off: t('mail_off', { address: known.address }),
        on: known.digest
          ? t('mail_digest', { address: known.address, time: known.digest })
          : t('mail_at_once', { address: known.address }),
      }[known.state]
    return h(
      'div.way',
      { key: 'mail' },
      h('h3', null, t('by_mail')),
      known && h('p', { role: 'status' }, state),
      open !== 'mail' &&
        h(
          'div.buttons',
          null,
          h('button', { type: 'button', onclick: turn('mail') }, t(known ? 'change' : 'tell_me_by_mail')),
          known &&
            h('button', { type: 'button', ...oneAtATime(asked), onclick: () => void dropMail() }, t('stop')),
        ),
      open === 'mail' &&
        h(
          'form.stack',
          { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void setMail()) },
          h('label', { for: 'mail' }, t('mail_address')),
          h('input', {
            id: 'mail',
            type: 'email',
            autocomplete: 'email',
            required: true,
            value: mail.address,
            oninput: (/** @type {any} */ event) => (mail.address = event.target.value),
          }),
          h('label', { for: 'mail-when' }, t('mail_when')),
          h(
            'select',
            {
              id: 'mail-when',
              value: mail.digest,
              onchange: (/** @type {any} */ event) => {
                mail.digest = event.target.value
                redraw()
              },
            },
            h('option', { value: '' }, t('at_once')),
            [...new Set(['08:00', '12:00', '18:00', '21:00', ...(mail.digest ? [mail.digest] : [])])]
              .sort()
              .map((time) => h('option', { key: time, value: time }, t('once_a_day', { time }))),
          ),
          h('p.small', null, t('mail_help')),
          h(
            'div.buttons',
            null,
            h('button.main', { type: 'submit', ...oneAtATime(asked) }, t('tell_me_by_mail')),
            h('button', { type: 'button', onclick: turn('mail') }, t('cancel')),
          ),
        ),
    )
  }

  function whenNot() {
    const known = how?.quiet
    /** @param {'from' | 'to'} which */
    const time = (which) =>
      h('input', {
        id: `quiet-${which}`,
        type: 'time',
        required: true,
        value: quiet[which],
        onchange: (/** @type {any} */ event) => (quiet[which] = event.target.value),
      })
    return h(
      'div.way',
      { key: 'quiet' },
      h('h3', null, t('quiet_hours')),
      known && h('p', { role: 'status' }, t('quiet_from_to', { from: known.from, to: known.to })),
      open !== 'quiet' &&
        h(
          'div.buttons',
          null,
          h('button', { type: 'button', onclick: turn('quiet') }, t(known ? 'change' : 'set_quiet')),
          known &&
            h(
              'button',
              { type: 'button', ...oneAtATime(asked), onclick: () => void dropQuiet() },
              t('no_quiet'),
            ),
        ),
      open === 'quiet' &&
        h(
          'form.inline',
          { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void setQuiet()) },
          h('label', { for: 'quiet-from' }, t('from')),
          time('from'),
          h('label', { for: 'quiet-to' }, t('to')),
          time('to'),
          h('button.main', { type: 'submit', ...oneAtATime(asked) }, t('set_quiet')),
          h('button', { type: 'button', onclick: turn('quiet') }, t('cancel')),
        ),
    )
  }

  void asked.ask(load)
  return {
    view: () =>
      h(
        'section.sheet.told',
        { key: 'told' },
        h('h2', null, t('be_told')),
        h('p.small', null, t('be_told_help')),
        trouble(asked.problem),
        how && [here(), byMail(), whenNot(), hooks.view()],
      ),
  }
}
