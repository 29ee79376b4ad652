// The offer to tell a player of each turn, where the player waits. It is made once: after an answer, the
// settings have it.

import { get } from '../base/api.js'
import { asking, oneAtATime } from '../base/asking.js'
import { icon } from '../base/icons.js'
import { begin, isPossible, needsHomeScreen, notifications, ownId } from '../base/push.js'
import { links } from '../base/route.js'
import { remember, remembered, session } from '../base/store.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { trouble } from './parts.js'
import { tellByMail } from './told.js'

/** @typedef {import('../types.d.ts').Notifications} Notifications */

/** Notes of this browser: the offer was answered, and a player has just joined by a link. */
const ANSWERED = 'call_me'
const JOINED = 'joined_by_link'

/** Opens the offer at the next table, because the player has just joined by a link. */
export const askAfterJoining = () => {
  if (!remembered(ANSWERED)) remember(JOINED, true)
}

/** @param {Notifications} how */
const isTold = ({ mail, push }) =>
  mail !== null || push.some(({ id, state }) => id === ownId() && state !== 'off')

/** @param {() => void} redraw */
export function callMe(redraw) {
  const asked = asking(redraw)
  /** @type {Notifications | null} */
  let how = null
  // It is there from the first moment: a sheet that comes later moves the board under the pointer.
  let isOpen = remembered(JOINED) === true
  remember(JOINED, null)
  /** @type {'no' | 'denied' | 'done'} */
  let state = 'no'
  let address = ''

  const load = async () => {
    const [known, { items }] = await Promise.all([notifications(), get('/v1/webhooks?limit=1')])
    how = known
    if (isTold(known) || items.length > 0) remember(ANSWERED, true)
    redraw()
  }
  if (session.get() && !remembered(ANSWERED)) void load().catch(() => null)

  const answer = () => {
    remember(ANSWERED, true)
    redraw()
  }
  const done = () => {
    state = 'done'
    answer()
  }
  const here = () =>
    asked.ask(async () => {
      const { push_key } = how ?? (await notifications())
      if (await begin(push_key ?? '')) done()
      else state = 'denied'
    })
  const byMail = () =>
    asked.ask(async () => {
      await tellByMail(address)
      done()
    })
  const open = () => {
    isOpen = true
    redraw()
    setTimeout(() => document.getElementById('call-me')?.focus())
  }

  const push = () =>
    isPossible()
      ? h(
          'button.main',
          { type: 'button', ...oneAtATime(asked), onclick: () => void here() },
          icon('bell'),
          t('call_here'),
        )
      : needsHomeScreen() && h('p', null, t('call_iphone'))

  const mail = () =>
    how?.has_mail &&
    h(
      'form.inline',
      { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void byMail()) },
      h('label.unseen', { for: 'call-mail' }, t('mail_address')),
      h('input', {
        id: 'call-mail',
        type: 'email',
        required: true,
        autocomplete: 'email',
        placeholder: t('mail_address'),
        value: address,
        oninput: (/** @type {any} */ event) => (address = event.target.value),
      }),
      h('button', { type: 'submit', ...oneAtATime(asked) }, t('tell_me_by_mail')),
    )

  const sheet = () =>
    h(
      'section.call-me',
      { key: 'call', 'aria-labelledby': 'call-me' },
      h('h3', { id: 'call-me', tabindex: '-1' }, t('call_title')),
      h('div.buttons', null, push(), mail()),
      state === 'denied' && h('p.trouble', { role: 'alert' }, t('told_here_denied')),
      trouble(asked.problem),
      h(
        'p.small',
        null,
        h('a', { href: links.settings }, t('call_others')),
        ' · ',
        h('button.quiet', { type: 'button', onclick: answer }, t('call_not_now')),
      ),
    )

  return {
    /** Returns whether the player is being asked. */
    isOpen: () => isOpen && state !== 'done' && !remembered(ANSWERED),
    /** Shows the offer, or nothing. */
    view: () => {
      if (state === 'done')
        return h(
          'p.call-me',
          { key: 'call', role: 'status' },
          t(how?.has_mail && address ? 'call_mail_sent' : 'call_done'),
        )
      if (!session.get() || remembered(ANSWERED) || (how && isTold(how))) return null
      if (isOpen) return sheet()
      return (
        how &&
        h(
          'button.call-offer',
          { key: 'call-offer', type: 'button', onclick: open },
          icon('bell'),
          t('call_me'),
        )
      )
    },
  }
}

/** @typedef {ReturnType<typeof callMe>} CallMe */
