// The first visit: only a name, and a table.

import { get, send } from '../base/api.js'
import { asking, oneAtATime } from '../base/asking.js'
import { openInbox } from '../base/inbox.js'
import { instance } from '../base/instance.js'
import { go, links } from '../base/route.js'
import { derivedId } from '../base/seating.js'
import { forgetKey, keepKey, makeKey } from '../base/own_key.js'
import { session } from '../base/store.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { lid } from './lids.js'
import { newTable } from './new_table.js'
import { rulesets, trouble } from './parts.js'

/**
 * Creates a player. Its recovery code is shown at home until it is kept.
 * @param {string} name
 * @param {string} [invitation] code of the operator
 */
export async function enter(name, invitation) {
  const key = await makeKey()
  const made = await send('POST', '/v1/players', {
    name,
    ...(key ? { key: key.hex } : {}),
    ...(invitation ? { invitation } : {}),
  })
  // The id follows from the key, so the server cannot replace the key later.
  if (key && made.player.id === (await derivedId(key.hex))) await keepKey(made.player.id, key)
  session.set(made)
  forgetKey()
  openInbox()
}

/** Returns a field for a name, with its action. @param {import('../base/asking.js').Asking} asked */
export function nameField(asked) {
  let name = ''
  let invitation = ''
  const isInvited = () => instance.known?.registration === 'invited'
  return {
    isClosed: () => instance.known?.registration === 'closed',
    field: () => [
      h(
        'div.field',
        null,
        h('label', { for: 'name' }, t('your_name')),
        h('input', {
          id: 'name',
          value: name,
          maxlength: '40',
          autocomplete: 'nickname',
          required: true,
          oninput: (/** @type {any} */ event) => (name = event.target.value),
        }),
      ),
      isInvited() &&
        h(
          'div.field',
          { key: 'invitation' },
          h('label', { for: 'invitation' }, t('invitation_code')),
          h('input', {
            id: 'invitation',
            value: invitation,
            maxlength: '60',
            autocomplete: 'off',
            required: true,
            oninput: (/** @type {any} */ event) => (invitation = event.target.value),
          }),
          h('small', null, t('invitation_help')),
        ),
    ],
    /** @param {() => Promise<unknown> | void} then */
    enter: (then) =>
      asked.ask(async () => {
        await enter(name, isInvited() ? invitation : undefined)
        await then()
      }),
  }
}

/** @param {() => void} redraw */
export function firstVisit(redraw) {
  const table = newTable(redraw)
  const asked = asking(redraw)
  const name = nameField(asked)
  /** @type {import('../types.d.ts').Ruleset[]} */
  let games = []
  /** A finished game to look at. @type {import('../types.d.ts').Game | null} */
  let showcase = null
  void rulesets()
    .then((found) => {
      games = found
      redraw()
      return get('/v1/games?status=finished&limit=1')
    })
    .then(({ items }) => {
      showcase = items[0] ?? null
      redraw()
    })
    .catch(() => null)
  /** @param {string} id */
  const lines = (id) => (id === 'industrial-waste' ? t('iw_lid') : id === 'ecopolis' ? t('co_lid') : '')

  return () =>
    h(
      'main.first',
      { id: 'main' },
      h(
        'div.first-lids',
        null,
        games.map(({ id }) => lid(id, 'lid large')),
      ),
      h('h1', null, h('span', null, t('two_games')), ' ', h('span', null, t('a_day_or_at_once'))),
      h(
        'p.why',
        null,
        t('why_here'),
        ' ',
        showcase && h('a', { href: links.table(showcase.id) }, t('showcase')),
      ),
      h(
        'form.sheet',
        {
          onsubmit: (/** @type {Event} */ event) => (
            event.preventDefault(),
            void name.enter(() => table.playAgainst('middle'))
          ),
        },
        name.isClosed() ? h('p', { role: 'status' }, t('registration_closed')) : name.field(),
        h(
          'fieldset.pair',
          null,
          h('legend.unseen', null, t('which_game')),
          games.map((game) =>
            h(
              'label.box',
              { key: game.id },
              h('input', {
                type: 'radio',
                name: 'first-game',
                checked: game.id === table.ruleset(),
                onchange: () => table.choose(game.id),
              }),
              h('span', { class: `lid-name print-${game.id}` }, game.name),
              h('small', null, lines(game.id)),
            ),
          ),
        ),
        trouble(asked.problem),
        h('button.main.large', { type: 'submit', ...oneAtATime(asked) }, t('play_the_machine')),
        h(
          'button.large',
          { type: 'button', ...oneAtATime(asked), onclick: () => void name.enter(() => table.create()) },
          t('set_up_and_link'),
        ),
        h(
          'button.large',
          { type: 'button', ...oneAtATime(asked), onclick: () => void name.enter(() => go(links.home)) },
          t('sit_down_here'),
        ),
        h('p.small', null, t('no_account')),
        h(
          'p.small',
          null,
          h('a', { href: links.code }, t('have_code')),
          ' · ',
          h('a', { href: links.tables }, t('look_at_games')),
        ),
      ),
    )
}
