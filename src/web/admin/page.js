// Moderation: the acts of operators, for everyone, and the page of an operator with a token.

import { get, send } from '../base/api.js'
import { asking, oneAtATime } from '../base/asking.js'
import { learnInstance, instance } from '../base/instance.js'
import { h } from '../base/view.js'
import { known, moment, t } from '../base/words.js'
import { trouble } from '../home/parts.js'

/** @typedef {import('../types.d.ts').OperatorAct} OperatorAct */
/** @typedef {import('../types.d.ts').PlayerReport} PlayerReport */
/** @typedef {import('../types.d.ts').KnownPlayer} KnownPlayer */

/** The token lives as long as the tab. */
const TOKEN = 'playledger.operator'

/** @param {() => void} redraw @returns {import('../main.js').Page} */
export function adminPage(redraw) {
  const asked = asking(redraw)
  let token = sessionStorage.getItem(TOKEN) ?? ''
  let isOperator = false
  let reason = ''
  let search = ''
  /** Values of the fields, by their ids. @type {Record<string, string>} */
  const typed = {}
  /** A secret that the last act made. */
  let secret = ''
  /** @type {OperatorAct[]} */
  let log = []
  /** @type {PlayerReport[]} */
  let reports = []
  /** @type {KnownPlayer[]} */
  let players = []
  /** @type {any[]} */
  let invitations = []
  /** @type {any[]} */
  let addresses = []
  /** @type {any[]} */
  let tokens = []

  async function load() {
    log = (await get('/v1/operator-log?limit=50')).items
    if (token) {
      reports = (await get('/v1/admin/reports?limit=100', token)).items
      const [found, codes, banned, operators] = await Promise.all([
        get(`/v1/admin/players?limit=25&name=${encodeURIComponent(search)}`, token),
        get('/v1/admin/invitations?limit=100', token),
        get('/v1/admin/addresses', token),
        get('/v1/admin/tokens?limit=100', token),
      ])
      players = found.items
      invitations = codes.items
      addresses = banned.items
      tokens = operators.items
      isOperator = true
      sessionStorage.setItem(TOKEN, token)
    }
    redraw()
  }
  const reload = () => asked.ask(load)
  void reload()

  /** @param {string} act @param {Record<string, any>} more */
  const act = (act, more) =>
    asked.ask(async () => {
      const done = await send('POST', '/v1/operator-log', { act, reason, ...more }, token)
      secret = done.secret ?? ''
      await Promise.all([load(), learnInstance()])
    })

  /** @param {string} id */
  const close = (id) =>
    asked.ask(async () => {
      await send('PATCH', `/v1/admin/reports/${id}`, { closed: true }, token)
      await load()
    })

  /** @param {Event} event */
  const signedIn = (event) => {
    event.preventDefault()
    token = typed.token ?? token
    void reload()
  }

  const signOut = () => {
    delete typed.token
    sessionStorage.removeItem(TOKEN)
    token = ''
    isOperator = false
    redraw()
  }

  /** A button for an act, which needs a reason. @param {string} text @param {string} name @param {() => Record<string, any>} more */
  const button = (text, name, more) =>
    h(
      'button',
      {
        type: 'button',
        key: text,
        ...oneAtATime(asked),
        disabled: !reason.trim(),
        onclick: () => void act(name, more()),
      },
      text,
    )

  /** @param {string} id @param {string} label @param {Record<string, string>} [more] */
  const field = (id, label, more) => [
    h('label', { key: `label ${id}`, for: id }, label),
    h('input', {
      key: id,
      id,
      value: typed[id] ?? '',
      autocomplete: 'off',
      ...more,
      oninput: (/** @type {any} */ event) => (typed[id] = event.target.value),
    }),
  ]

  const signIn = () =>
    h(
      'section.sheet',
      null,
      h('h2', null, t('admin_sign_in')),
      h('p.small', null, t('admin_token_help')),
      h(
        'form.inline',
        { onsubmit: signedIn },
        h('label', { for: 'token' }, t('admin_token')),
        h('input', {
          id: 'token',
          type: 'password',
          value: typed.token ?? token,
          autocomplete: 'off',
          oninput: (/** @type {any} */ event) => (typed.token = event.target.value.trim()),
        }),
        h('button', { type: 'submit', ...oneAtATime(asked) }, t('continue')),
      ),
    )

  const reasonField = () =>
    h(
      'section.sheet',
      null,
      h(
        'div.field',
        null,
        h('label', { for: 'reason' }, t('admin_reason')),
        h('input', {
          id: 'reason',
          value: reason,
          maxlength: '250',
          oninput: (/** @type {any} */ event) => {
            reason = event.target.value
            redraw()
          },
        }),
      ),
      secret && h('p', { role: 'status' }, t('admin_secret'), ' ', h('span.code', { tabindex: '0' }, secret)),
      h('div.buttons', null, h('button.quiet', { type: 'button', onclick: signOut }, t('sign_out'))),
    )

  /** @param {PlayerReport} report */
  const reportLine = ({ id, at, reason: why, quote, text, player, game, message }) =>
    h(
      'li.app',
      { key: id },
      h(
        'div',
        null,
        h('strong', null, t(`report_${/** @type {'abuse'} */ (why)}`)),
        ' ',
        h('small', null, moment(at)),
        h('p', null, h('bdi', null, quote ?? '')),
        text && h('p.small', null, h('bdi', null, text)),
      ),
      h(
        'div.buttons',
        null,
        message !== null && button(t('admin_remove_message'), 'remove_message', () => ({ game, message })),
        game && message === null && button(t('admin_remove_title'), 'remove_title', () => ({ game })),
        player && button(t('admin_ban'), 'ban', () => ({ player })),
        h(
          'button',
          { type: 'button', ...oneAtATime(asked), onclick: () => void close(id) },
          t('admin_close'),
        ),
      ),
    )

  /** @param {KnownPlayer} player */
  const playerLine = ({ id, name, bot, banned, banned_until: until }) =>
    h(
      'li.app',
      { key: id },
      h(
        'div',
        null,
        h('bdi', null, name ?? t('somebody')),
        bot && h('small', null, ' ', t('machine')),
        banned && h('small', null, ' · ', until ? t('until', { at: moment(until) }) : t('admin_banned')),
        h('p.small', null, h('bdi', { dir: 'ltr' }, id)),
      ),
      h(
        'div.buttons',
        null,
        banned
          ? button(t('admin_unban'), 'unban', () => ({ player: id }))
          : button(t('admin_ban'), 'ban', () => ({ player: id })),
        button(t('rename'), 'rename', () => ({ player: id, name: typed.rename ?? '' })),
        button(t('admin_recovery'), 'recovery_code', () => ({ player: id })),
      ),
    )

  const operator = () => [
    reasonField(),
    h(
      'section.sheet',
      { key: 'reports' },
      h('h2', null, t('admin_reports')),
      reports.length === 0 && h('p', null, t('none')),
      h('ul.lines', null, reports.map(reportLine)),
    ),
    h(
      'section.sheet',
      { key: 'players' },
      h('h2', null, t('admin_players')),
      h(
        'form.inline',
        { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void reload()) },
        h('label', { for: 'search' }, t('admin_search')),
        h('input', {
          id: 'search',
          value: search,
          oninput: (/** @type {any} */ event) => (search = event.target.value),
        }),
        h('button', { type: 'submit', ...oneAtATime(asked) }, t('admin_find')),
        field('rename', t('admin_new_name'), { maxlength: '40' }),
      ),
      h('ul.lines', null, players.map(playerLine)),
    ),
    h(
      'section.sheet',
      { key: 'games' },
      h('h2', null, t('admin_game')),
      h(
        'div.inline',
        null,
        field('game', t('admin_game_id')),
        button(t('admin_end_game'), 'end_game', () => ({ game: typed.game })),
        field('seat', t('admin_seat'), { type: 'number', min: '0', max: '3' }),
        button(t('admin_remove_player'), 'remove_player', () => ({
          game: typed.game,
          seat: Number(typed.seat),
        })),
      ),
    ),
    h(
      'section.sheet',
      { key: 'server' },
      h('h2', null, t('admin_server')),
      h('p', null, t('admin_registration'), ': ', known('is_', instance.known?.registration ?? '')),
      h(
        'div.buttons',
        null,
        ['open', 'invited', 'closed'].map((mode) =>
          button(t(`admin_${/** @type {'open'} */ (mode)}`), 'registration', () => ({ registration: mode })),
        ),
        button(t('admin_invite'), 'invite', () => ({})),
      ),
      h(
        'div.inline',
        null,
        field('notice', t('admin_notice'), { maxlength: '250' }),
        button(t('admin_show'), 'notice', () => (typed.notice ? { text: typed.notice } : {})),
      ),
      h(
        'div.inline',
        null,
        field('address', t('admin_address')),
        button(t('admin_ban_address'), 'ban_address', () => ({ address: typed.address })),
      ),
      h(
        'ul.lines',
        null,
        addresses.map(({ address }) =>
          h(
            'li.app',
            { key: address },
            h('bdi', { dir: 'ltr' }, address),
            button(t('admin_unban'), 'unban_address', () => ({ address })),
          ),
        ),
        invitations.map(({ id, note, uses, expires_at: until }) =>
          h(
            'li.app',
            { key: id },
            h('span', null, t('admin_invitation', { n: uses, at: moment(until) }), ' ', h('bdi', null, note)),
            button(t('admin_revoke'), 'revoke_invitation', () => ({ id })),
          ),
        ),
        tokens.map(({ id, name, expires_at: until }) =>
          h(
            'li.app',
            { key: id },
            h(
              'span',
              null,
              t('admin_token'),
              ' ',
              h('bdi', null, name),
              ' · ',
              t('until', { at: moment(until) }),
            ),
            button(t('admin_revoke'), 'revoke_token', () => ({ id })),
          ),
        ),
      ),
    ),
  ]

  /** @param {OperatorAct} entry */
  const logLine = ({ id, at, operator: who, act: what, player, game, reason: why }) =>
    h(
      'li',
      { key: id },
      h('time', { datetime: at }, moment(at)),
      ' ',
      h('strong', null, known('act_', what)),
      (player || game) && [' ', h('bdi', { dir: 'ltr' }, player ?? game)],
      ' · ',
      h('bdi', null, why),
      h('small', null, ' (', h('bdi', null, who), ')'),
    )

  return {
    title: () => t('moderation'),
    view: () =>
      h(
        'main.narrow',
        { id: 'main' },
        h('h1', null, t('moderation')),
        trouble(asked.problem),
        isOperator ? operator() : null,
        h(
          'section.sheet',
          { key: 'log' },
          h('h2', null, t('admin_log')),
          h('p.small', null, t('admin_log_help')),
          log.length === 0 && h('p', null, t('admin_log_empty')),
          h('ul.lines', null, log.map(logLine)),
        ),
        isOperator ? null : signIn(),
      ),
  }
}
