// Webhooks of a player or a table: the list, a new one, and its confirmation.

import { get, send } from '../base/api.js'
import { asking, oneAtATime } from '../base/asking.js'
import { h } from '../base/view.js'
import { language, moment, t } from '../base/words.js'
import { copy, trouble } from './parts.js'

/** @typedef {import('../types.d.ts').Webhook} Webhook */

const FORMATS = /** @type {const} */ (['discord', 'slack', 'ntfy', 'standard'])

const path = '/v1/webhooks'

/**
 * The webhooks of the player, or those of a table, with the names of its seats for the mentions.
 * @param {string | null} game
 * @param {(() => string[]) | null} seats
 * @param {() => void} redraw
 */
export function webhooks(game, seats, redraw) {
  /** @type {Webhook[]} */
  let known = []
  let isOpen = false
  const asked = asking(redraw)
  /** @type {string | null} */
  let secret = null
  /** @type {{format: typeof FORMATS[number], url: string, mentions: string[]}} */
  const order = { format: 'discord', url: '', mentions: [] }
  /** @type {Record<string, string>} */
  const codes = {}
  /** Results of the last tests. @type {Record<string, import('../types.d.ts').Delivery | undefined>} */
  const tests = {}

  const load = async () => {
    const items = /** @type {Webhook[]} */ ((await get(game ? `${path}?game=${game}` : path)).items)
    known = items.filter((hook) => hook.game === game)
    redraw()
  }
  /** @param {() => Promise<any>} act */
  const attempt = (act) => () =>
    asked.ask(async () => {
      await act()
      await load()
    })

  const add = attempt(async () => {
    const mentions =
      seats && order.mentions.some(Boolean)
        ? { mentions: seats().map((_, seat) => order.mentions[seat]?.trim() || null) }
        : {}
    const made = await send('POST', path, {
      url: order.url.trim(),
      format: order.format,
      lang: language(),
      game,
      ...mentions,
    })
    secret = made.secret
    isOpen = false
    order.url = ''
    follow(made.id)
  })

  /** Polls the result of a test a few times. @param {string} id */
  const follow = (id) => void look(id).catch(() => null)

  /** @param {string} id */
  async function look(id) {
    for (let tries = 0; tries < 12; tries += 1) {
      const [last] = (await get(`${path}/${id}/deliveries?limit=1`)).items
      tests[id] = last
      redraw()
      if (!last || last.outcome) break
      await new Promise((done) => setTimeout(done, 1_000))
    }
    await load()
  }

  /** @param {string} id */
  const test = (id) =>
    attempt(async () => {
      await send('POST', `${path}/${id}/test`)
      follow(id)
    })

  /** @param {Webhook} hook */
  function line({ id, name, format, state, failing_since, mine }) {
    const last = tests[id]
    const failure =
      last?.outcome === 'failed'
        ? t(`failed_${last.failure ?? 'refused'}`, { status: last.status ?? '' })
        : null
    const types = state === 'unproved' && mine && format !== 'standard'
    return h(
      'li.webhook',
      { key: id },
      h(
        'div',
        null,
        h('strong', null, name),
        ' ',
        h('small', null, t(`hook_${format}`)),
        h(
          'small',
          { role: 'status' },
          ' · ',
          t(`hook_${state}`),
          failing_since && [' · ', t('failing_since', { at: moment(failing_since) })],
        ),
      ),
      types &&
        h(
          'form.inline',
          {
            onsubmit: (/** @type {Event} */ event) => (
              event.preventDefault(),
              void attempt(() => send('PATCH', `${path}/${id}`, { code: codes[id] ?? '' }))()
            ),
          },
          h('label', { for: `code-${id}` }, t('hook_code')),
          h('input.code', {
            id: `code-${id}`,
            autocomplete: 'off',
            spellcheck: 'false',
            maxlength: '12',
            size: '10',
            value: codes[id] ?? '',
            oninput: (/** @type {any} */ event) => (codes[id] = event.target.value),
          }),
          h('button', { type: 'submit', ...oneAtATime(asked) }, t('hook_prove')),
        ),
      failure && h('p.trouble', { role: 'alert' }, failure),
      mine &&
        h(
          'div.buttons',
          null,
          h('button', { type: 'button', ...oneAtATime(asked), onclick: () => void test(id)() }, t('try_it')),
          state === 'off' &&
            h(
              'button',
              {
                type: 'button',
                ...oneAtATime(asked),
                onclick: () => void attempt(() => send('PATCH', `${path}/${id}`, { state: 'on' }))(),
              },
              t('hook_again'),
            ),
          h(
            'button',
            {
              type: 'button',
              ...oneAtATime(asked),
              onclick: () => void attempt(() => send('DELETE', `${path}/${id}`))(),
            },
            t('take_away'),
          ),
        ),
    )
  }

  function turn() {
    isOpen = !isOpen
    redraw()
  }

  function form() {
    return h(
      'form.stack',
      { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void add()) },
      h('label', { for: 'hook-format' }, t('hook_where')),
      h(
        'select',
        {
          id: 'hook-format',
          value: order.format,
          onchange: (/** @type {any} */ event) => {
            order.format = event.target.value
            redraw()
          },
        },
        FORMATS.map((format) => h('option', { key: format, value: format }, t(`hook_${format}`))),
      ),
      h('label', { for: 'hook-url' }, t('hook_url')),
      h('input', {
        id: 'hook-url',
        type: 'url',
        required: true,
        autocomplete: 'off',
        spellcheck: 'false',
        maxlength: '2000',
        value: order.url,
        placeholder: t(`hook_url_${order.format}`),
        oninput: (/** @type {any} */ event) => (order.url = event.target.value),
      }),
      seats &&
        order.format !== 'standard' &&
        h(
          'fieldset',
          null,
          h('legend', null, t('mentions')),
          seats().map((name, seat) =>
            h(
              'div.option',
              { key: seat },
              h('label', { for: `mention-${seat}` }, name),
              h('input', {
                id: `mention-${seat}`,
                maxlength: '64',
                autocomplete: 'off',
                value: order.mentions[seat] ?? '',
                placeholder:
                  order.format === 'discord'
                    ? '<@80351110224678912>'
                    : order.format === 'slack'
                      ? '<@U024BE7LH>'
                      : '@ada',
                oninput: (/** @type {any} */ event) => (order.mentions[seat] = event.target.value),
              }),
            ),
          ),
        ),
      h('p.small', null, t(order.format === 'standard' ? 'hook_help_standard' : 'hook_help')),
      h(
        'div.buttons',
        null,
        h('button.main', { type: 'submit', ...oneAtATime(asked) }, t('hook_add')),
        h('button', { type: 'button', onclick: turn }, t('cancel')),
      ),
    )
  }

  void load().catch(() => null)
  return {
    view: () =>
      h(
        'div.way',
        { key: 'webhooks' },
        h('h3', null, t(seats ? 'hooks_of_table' : 'hooks')),
        known.length === 0 && h('p.small', null, t('hooks_help')),
        trouble(asked.problem),
        secret &&
          h(
            'div.keep',
            { key: 'secret' },
            h('p.small', null, t('hook_secret')),
            h('p.code', { tabindex: '0' }, secret),
            h(
              'div.buttons',
              null,
              h(
                'button',
                {
                  type: 'button',
                  onclick: (/** @type {Event} */ event) => void copy(secret ?? '', event, t('copied')),
                },
                t('copy'),
              ),
              h(
                'button',
                {
                  type: 'button',
                  onclick: () => {
                    secret = null
                    redraw()
                  },
                },
                t('have_it'),
              ),
            ),
          ),
        known.length > 0 && h('ul.lines', null, known.map(line)),
        isOpen
          ? form()
          : h('div.buttons', null, h('button', { type: 'button', onclick: turn }, t('hook_new'))),
      ),
  }
}
