// A table before the start: who sits, whom to send the link, and a seat for who came by it.

import { send } from '../base/api.js'
import { seatShape } from '../base/icons.js'
import { picture } from '../base/qr.js'
import { links, whole } from '../base/route.js'
import { share } from '../base/sign.js'
import { session } from '../base/store.js'
import { ofClock } from '../base/time.js'
import { keepReceipt } from '../base/vault.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { nameField } from '../home/first.js'
import { lid } from '../home/lids.js'
import { copy, nameOf } from '../home/parts.js'

/** @param {import('./model.js').Table} table @param {() => void} redraw */
export function openLobby(table, redraw) {
  const name = nameField(redraw, (problem) => (table.problem = problem))
  const sit = () => table.ask(async () => {
    const done = await send('POST', `${table.path}/seats`, await share())
    await keepReceipt(table.id, done.receipt)
    await table.load()
  })
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault()
    if (session.get()) void sit()
    else void name.enter(async () => void (await sit()))
  }
  return () => lobby(table, h('form.stack', { onsubmit: submit }, !session.get() && name.field(), h('button.main.large', { type: 'submit' }, t('take_a_seat'))))
}

/** @param {import('./model.js').Table} table @param {import('../base/view.js').Child} form */
function lobby(table, form) {
  const { game, catalogue } = table
  if (!game) return null
  const link = game.invite ? whole(links.invite(game.invite)) : game.visibility === 'public' ? whole(links.table(table.id)) : null
  const mySeat = table.me()
  return h('section.sheet.lobby', { key: 'lobby' },
    lid(game.ruleset, 'lid large'),
    h('div', null,
      h('h2', null, game.title ? h('bdi', null, game.title) : t('players')),
      h('ol.sitting', null, game.seats.map(({ seat, player, entropy }) => h('li', { key: String(seat) }, seatShape(seat, !player),
        player ? nameOf(player.name) : h('span.minor', null, t('nobody')), seat === mySeat && h('small', null, t('you')), game.status === 'sealed' && entropy === 'promised' && h('small', null, '…')))),
      h('p.small', null, ofClock(game.clock), game.takebacks && ` · ${t('takebacks')}`, game.substitutes && ` · ${t('substitutes')}`,
        Object.entries(game.options).filter(([, value]) => value === true).map(([name]) => ` · ${catalogue?.options.find(({ id }) => id === name)?.title ?? name}`)),
      mySeat === null && game.status === 'open' && form,
      game.status === 'open' && link && mySeat !== null && h('div.invite-link', null, h('h3', null, t('invite_link')),
        h('p.code', { tabindex: '0' }, link),
        h('button.main', { type: 'button', onclick: (/** @type {Event} */ event) => void copy(link, event, t('link_copied')) }, t('copy_link')),
        h('figure.picture', null, picture(link, t('invite_link'))))))
}
