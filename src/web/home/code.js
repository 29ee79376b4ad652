// Sign-in by a recovery code, or by a code of another device. A code does not replace the current player: the
// page asks by name, and keeps the earlier account.

import { asking, oneAtATime } from '../base/asking.js'
import { go, links } from '../base/route.js'
import { kept } from '../base/store.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { trouble } from './parts.js'
import { endToken, enterAs, here, sessionOf, signOutOf } from './sign_in.js'

/** @typedef {import('../base/store.js').Session} Session */

/** @param {{code: string}} route @param {() => void} redraw @returns {import('../main.js').Page} */
export function codePage(route, redraw) {
  let code = route.code
  /** The player of the code, while another player is signed in. @type {Session | null} */
  let found = null
  /** The kept account of the same player. @type {Session | null} */
  let earlier = null
  let stopped = false
  const asked = asking(redraw)
  const enter = () =>
    asked.ask(async () => {
      const next = await sessionOf(code)
      const player = here()?.player.id
      if (stopped || (player !== undefined && player !== next.player.id)) {
        earlier = kept.find(next.player.id)
        // If the page is closed now, the account is still kept.
        kept.add(next)
        found = next
        return
      }
      change(next)
    })
  /** Forgets data of the earlier player. @param {Session} next */
  const change = (next) => {
    enterAs(next)
    go(links.home)
    location.reload()
  }
  /** @param {Session} next */
  const stay = (next) =>
    asked.ask(async () => {
      // A recovery code was used. Its successor is needed to come back.
      if (earlier && !next.recovery) {
        kept.add(earlier)
        await endToken(next.token)
      } else if (!next.recovery) await signOutOf(next)
      go(links.home)
    })
  const nameOf = (/** @type {Session | null} */ one) => one?.player.name ?? t('somebody')

  function question(/** @type {Session} */ next) {
    const [me, other] = [nameOf(here()), nameOf(next)]
    return h(
      'section.sheet',
      null,
      h('h1', null, t('change_account', { name: other })),
      h('p', null, t('change_account_help', { here: me, other })),
      trouble(asked.problem),
      h(
        'div.buttons',
        null,
        h(
          'button.main',
          { type: 'button', ...oneAtATime(asked), onclick: () => !asked.sending && change(next) },
          t('play_as', { name: other }),
        ),
        h(
          'button',
          { type: 'button', ...oneAtATime(asked), onclick: () => void stay(next) },
          t('stay', { name: me }),
        ),
      ),
    )
  }

  function form() {
    const one = here()
    return h(
      'section.sheet',
      null,
      h('h1', null, t('have_code')),
      one &&
        h(
          'p',
          { role: 'note' },
          t('code_while_here', { name: nameOf(one) }),
          route.code && [' ', h('strong', null, t('code_from_link'))],
        ),
      h(
        'form.stack',
        { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void enter()) },
        h('label', { for: 'code' }, t('recovery_code')),
        h('input.code', {
          id: 'code',
          value: code,
          autocomplete: 'off',
          spellcheck: 'false',
          required: true,
          oninput: (/** @type {any} */ event) => (code = event.target.value),
        }),
        h('p.small', null, t('recovery_help')),
        trouble(asked.problem),
        h('button.main.large', { type: 'submit', ...oneAtATime(asked) }, t('come_back')),
      ),
    )
  }

  return {
    title: () => t('have_code'),
    view: () => h('main.narrow', { id: 'main' }, found ? question(found) : form()),
    stop: () => {
      stopped = true
    },
  }
}
