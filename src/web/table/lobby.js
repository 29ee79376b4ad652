// A table before the start: seats, the link to invite players, and a seat for invited visitors.

import { oneAtATime } from '../base/asking.js'
import { icon, seatShape } from '../base/icons.js'
import { picture } from '../base/qr.js'
import { links, whole } from '../base/route.js'
import { seatOf, sitDown } from '../base/seats.js'
import { session } from '../base/store.js'
import { ofClock } from '../base/time.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { acquaintances } from '../home/acquaintances.js'
import { nameField } from '../home/first.js'
import { lid } from '../home/lids.js'
import { LEVELS } from '../home/machines.js'
import { copy, nameOf, rulesets, unusual } from '../home/parts.js'

/** @param {import('./model.js').Table} table @param {import('../home/call_me.js').CallMe} call @param {() => void} redraw */
export function openLobby(table, call, redraw) {
  const name = nameField(table)
  async function sit() {
    if (table.game) await sitDown(`${table.path}/seats`, seatOf(table.game))
    await table.load()
  }
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault()
    void (session.get() ? table.ask(sit) : name.enter(sit))
  }
  const seats = fillers(table, redraw)
  /** @type {import('../home/acquaintances.js').Acquaintances | null} */
  let people = null
  /** @type {import('../types.d.ts').Ruleset[]} */
  let kinds = []
  void rulesets()
    .then((found) => (kinds = found))
    .then(redraw, () => null)
  return () =>
    lobby(
      table,
      kinds,
      seats,
      h(
        'form.stack',
        { onsubmit: submit },
        !session.get() && name.field(),
        h('button.main.large', { type: 'submit', ...oneAtATime(table) }, t('take_a_seat')),
      ),
      call,
      () => (people ??= acquaintances(redraw)),
    )
}

/**
 * Adds and removes bots, for the host.
 * @param {import('./model.js').Table} table
 * @param {() => void} redraw
 */
function fillers(table, redraw) {
  /** @type {import('../home/machines.js').Level} */
  let level = 'middle'
  const send_away = (/** @type {number} */ seat) =>
    table.ask(async () => {
      await table.act('DELETE', `/bots/${seat}`)
      await table.load()
    })
  const add = () =>
    table.ask(async () => {
      await table.act('POST', '/bots', { level })
      await table.load()
    })
  return {
    /** @param {{seat: number, player: any}} of */
    away: ({ seat, player }) =>
      h(
        'button.plain',
        {
          type: 'button',
          ...oneAtATime(table),
          'aria-label': t('send_away', { name: player.name ?? '' }),
          onclick: () => void send_away(seat),
        },
        icon('cross'),
      ),
    add: () =>
      h(
        'form.fill',
        { key: 'fill', onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void add()) },
        h('label', { for: 'level' }, t('free_seat_to')),
        h(
          'select',
          {
            id: 'level',
            value: level,
            onchange: (/** @type {any} */ event) => ((level = event.target.value), redraw()),
          },
          LEVELS.map((one) =>
            h('option', { value: one, key: one }, t('machine_of_level', { level: t(one) })),
          ),
        ),
        h('button', { type: 'submit', ...oneAtATime(table) }, t('add_machine')),
      ),
  }
}

/** Returns the seat of the host: probably the first person. @param {import('../types.d.ts').Game} game */
const hostOf = (game) => game.seats.find(({ player }) => player && !player.bot)?.seat

/** @param {import('./model.js').Table} table @param {import('../types.d.ts').Ruleset[]} kinds @param {ReturnType<typeof fillers>} machines @param {import('../base/view.js').Child} form @param {import('../home/call_me.js').CallMe} call @param {() => import('../home/acquaintances.js').Acquaintances} people */
function lobby(table, kinds, machines, form, call, people) {
  const { game } = table
  if (!game) return null
  const link = game.invite
    ? whole(links.invite(game.invite))
    : game.visibility === 'public'
      ? whole(links.table(table.id))
      : null
  const mySeat = table.me()
  const isHost = mySeat !== null && mySeat === hostOf(game) && game.status === 'open'
  return h(
    'section.sheet.lobby',
    { key: 'lobby' },
    lid(game.ruleset, 'lid large'),
    h(
      'div',
      null,
      h('h2', null, game.title ? h('bdi', null, game.title) : t('players')),
      h(
        'ol.sitting',
        null,
        game.seats.map(({ seat, player, entropy }) =>
          h(
            'li',
            { key: String(seat) },
            seatShape(seat, !player),
            player ? nameOf(player) : h('span.minor', null, t('nobody')),
            seat === mySeat && h('small', null, t('you')),
            game.status === 'sealed' && entropy === 'promised' && h('small', null, '…'),
            isHost && player?.level && machines.away({ seat, player }),
          ),
        ),
      ),
      isHost && game.seats.some(({ player }) => !player) && machines.add(),
      isHost && people().view(game),
      h(
        'p.small',
        null,
        ofClock(game.clock),
        game.takebacks && ` · ${t('takebacks')}`,
        game.substitutes && ` · ${t('substitutes')}`,
        kinds.length > 0 &&
          unusual(
            game.options,
            kinds.find(({ id }) => id === game.ruleset),
          ).map((text) => ` · ${text}`),
      ),
      mySeat === null && game.status === 'open' && form,
      game.status === 'open' &&
        link &&
        mySeat !== null &&
        h(
          'div.invite-link',
          null,
          h('h3', null, t('invite_link')),
          h('p.code', { tabindex: '0' }, link),
          h(
            'button.main',
            {
              type: 'button',
              onclick: (/** @type {Event} */ event) => void copy(link, event, t('link_copied')),
            },
            t('copy_link'),
          ),
          h('figure.picture', null, picture(link, t('invite_link'))),
        ),
      mySeat !== null && call.view(),
    ),
  )
}
