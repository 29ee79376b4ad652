// Settings: the look of the page, the player, and ways to come back.

import { send } from '../base/api.js'
import { asking, oneAtATime } from '../base/asking.js'
import { openInbox, whoAmI } from '../base/inbox.js'
import { end as endPush } from '../base/push.js'
import { forgetKey } from '../base/own_key.js'
import { go, links } from '../base/route.js'
import { keepSettings, kept, session, settings } from '../base/store.js'
import { h } from '../base/view.js'
import { chooseLanguage, t } from '../base/words.js'
import { appsSection } from './apps.js'
import { blocksSection } from './blocks.js'
import { devicesSection } from './devices.js'
import { choice, copy, trouble } from './parts.js'
import { endToken, enterAs, signOutOf } from './sign_in.js'
import { toldSection } from './told.js'

/** Shows the recovery code until the player has kept it. @param {() => void} redraw */
export function keepCode(redraw) {
  const known = session.get()
  if (!known?.recovery) return null
  const code = known.recovery
  const kept = () => {
    session.set({ ...known, recovery: null })
    redraw()
  }
  return h(
    'section.sheet.keep',
    null,
    h('h2', null, t('keep_code')),
    h('p.code', { tabindex: '0' }, code),
    h('p.small', null, t('keep_code_help')),
    h(
      'div.buttons',
      null,
      h(
        'button',
        { type: 'button', onclick: (/** @type {Event} */ event) => void copy(code, event, t('copied')) },
        t('copy'),
      ),
      h('button', { type: 'button', onclick: kept }, t('have_it')),
    ),
  )
}

/** @param {() => void} redraw @returns {import('../main.js').Page} */
export function settingsPage(redraw) {
  let name = session.get()?.player.name ?? ''
  let done = false
  const asked = asking(redraw)
  let sure = false
  const told = session.get() && toldSection(redraw)
  const devices = session.get() && devicesSection(redraw)
  const apps = session.get() && appsSection(redraw)
  const blocks = session.get() && blocksSection(redraw)

  const rename = () =>
    asked.ask(async () => {
      await send('PATCH', '/v1/me', { name })
      await whoAmI()
      done = true
    })
  const recovery = () =>
    asked.ask(async () => {
      const known = session.get()
      const made = await send('POST', '/v1/me/recovery')
      if (known) session.set({ ...known, recovery: made.recovery })
    })
  const forget = async () => {
    await endPush().catch(() => null)
    const here = session.get()
    if (here) await endToken(here.token)
    session.set(null)
    forgetKey()
    openInbox()
    go(links.home)
  }

  /** @param {Partial<import('../base/store.js').Settings>} some */
  const keep = (some) => {
    keepSettings(some)
    chooseLanguage()
    redraw()
  }

  /** @param {'motion' | 'sound' | 'letters' | 'tries'} which @param {import('../base/view.js').Child} help */
  const tick = (which, help) =>
    h(
      'div.tick',
      null,
      h(
        'label',
        null,
        h('input', {
          type: 'checkbox',
          checked: settings()[which],
          onchange: (/** @type {any} */ event) => keep({ [which]: event.target.checked }),
        }),
        t(which),
      ),
      help,
    )

  function you() {
    return h(
      'section.sheet.you',
      null,
      h('h2', null, t('your_account')),
      h(
        'form.inline',
        { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void rename()) },
        h('label', { for: 'rename' }, t('your_name')),
        h('input', {
          id: 'rename',
          value: name,
          maxlength: '40',
          oninput: (/** @type {any} */ event) => {
            name = event.target.value
            done = false
          },
        }),
        h('button', { type: 'submit', ...oneAtATime(asked) }, t('rename')),
        done && h('span', { role: 'status' }, t('renamed')),
      ),
      trouble(asked.problem),
      devices?.view(),
      apps?.(),
      blocks?.(),
      h('h3', null, t('new_recovery')),
      h(
        'button',
        { type: 'button', ...oneAtATime(asked), onclick: () => void recovery() },
        t('new_recovery'),
      ),
      accounts(),
      h('h3', null, t('sign_out')),
      h('p.small', null, t('sign_out_help')),
      sure
        ? h(
            'div.sure',
            { role: 'alertdialog', 'aria-label': t('sign_out') },
            h('button.grave', { type: 'button', onclick: () => void forget() }, t('sign_out_yes')),
            h(
              'button',
              {
                type: 'button',
                onclick: () => {
                  sure = false
                  redraw()
                },
              },
              t('no'),
            ),
          )
        : h(
            'button',
            {
              type: 'button',
              onclick: () => {
                sure = true
                redraw()
              },
            },
            t('sign_out'),
          ),
    )
  }

  /** Shows the other accounts of this browser. */
  function accounts() {
    const others = kept.get()
    if (others.length === 0) return null
    return [
      h('h3', null, t('kept_accounts')),
      h('p.small', null, t('kept_accounts_help')),
      h(
        'ul.rows',
        null,
        others.map((one) => {
          const name = one.player.name ?? t('somebody')
          const noted = () => {
            kept.set(
              kept.get().map((other) => (other.token === one.token ? { ...other, recovery: null } : other)),
            )
            redraw()
          }
          return h(
            'li',
            { key: one.player.id },
            h('bdi', null, name),
            one.recovery && h('span.code', { tabindex: '0' }, one.recovery),
            h(
              'span.buttons',
              null,
              h(
                'button',
                {
                  type: 'button',
                  ...oneAtATime(asked),
                  onclick: () => {
                    if (!asked.sending) {
                      enterAs(one)
                      location.reload()
                    }
                  },
                },
                t('play_as', { name }),
              ),
              one.recovery
                ? h('button', { type: 'button', onclick: noted }, t('have_it'))
                : h(
                    'button',
                    {
                      type: 'button',
                      ...oneAtATime(asked),
                      onclick: () => void asked.ask(() => signOutOf(one)),
                    },
                    t('forget_account', { name }),
                  ),
            ),
          )
        }),
      ),
    ]
  }

  return {
    title: () => t('settings'),
    view: () =>
      h(
        'main.narrow',
        { id: 'main' },
        h('h1', null, t('settings')),
        h(
          'section.sheet.settings',
          null,
          choice(
            'language',
            t('language'),
            [
              ['', t('language_auto')],
              ['en', 'English'],
              ['it', 'Italiano'],
            ],
            settings().language,
            (language) => keep({ language }),
          ),
          choice(
            'theme',
            t('theme'),
            [
              ['light dark', t('theme_auto')],
              ['light', t('theme_light')],
              ['dark', t('theme_dark')],
            ],
            settings().theme,
            (theme) => keep({ theme }),
          ),
          tick('motion', null),
          tick('sound', h('small', null, t('sound_help'))),
          tick('letters', h('small', null, t('letters_help'))),
          tick('tries', h('small', null, t('tries_help'))),
          h('p.small', null, h('strong', null, t('keys_title')), ': ', t('keys_help')),
        ),
        keepCode(redraw),
        session.get() && told?.view(),
        session.get() ? you() : kept.get().length > 0 && h('section.sheet', null, accounts()),
      ),
  }
}
