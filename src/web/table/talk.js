// Messages of the table, and private notes. Neither is in the log.

import { get, headers, isPassing, Problem, send } from '../base/api.js'
import { asking, oneAtATime } from '../base/asking.js'
import { icon, seatShape } from '../base/icons.js'
import { inbox } from '../base/inbox.js'
import { remember, remembered } from '../base/store.js'
import { h, stick } from '../base/view.js'
import { moment, t } from '../base/words.js'
import { nameOf, trouble } from '../home/parts.js'
import { reports } from '../home/report.js'

/** @typedef {import('../types.d.ts').Message} Message */

/** @param {import('./model.js').Table} table @param {() => void} redraw */
export function openTalk(table, redraw) {
  /** @type {Message[]} */
  let messages = []
  /** @type {number[]} */
  let muted = []
  let text = ''
  let note = ''
  /** @type {number | null} */
  let noted = null
  let kept = true
  /** Whether the notes are loaded. Writing earlier would overwrite them. */
  let isLoaded = false
  let stopped = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let later
  const asked = asking(redraw)
  const noting = asking(redraw)
  const reportOf = reports(redraw)
  const talk = {
    /** Number of unread messages. */
    unread: 0,
    load,
    read,
    messagesPanel,
    notePanel,
    stop: () => {
      stopped = true
      clearTimeout(soon)
      clearTimeout(later)
      window.removeEventListener('pagehide', keepAtLast)
      keepAtLast()
    },
  }

  /** Requests run one at a time, so no message appears twice. @type {Promise<void>} */
  let loading = Promise.resolve()

  /**
   * Loads messages, and tries again later after a failure.
   * @param {boolean} [isOpen] whether the messages are before my eyes
   */
  function load(isOpen = false) {
    clearTimeout(later)
    loading = loading
      .catch(() => undefined)
      .then(loadOnce)
      .then(() => {
        if (isOpen) read()
        redraw()
      })
    loading.catch((problem) => {
      if (problem instanceof Problem && isPassing(problem.status) && !stopped)
        later = setTimeout(() => void load(isOpen).catch(() => null), 4000)
    })
    return loading
  }

  async function loadOnce() {
    if (table.me() === null) return
    for (;;) {
      const from = messages.at(-1)?.id
      const { items } = await get(
        `${table.path}/messages?limit=100${from === undefined ? '' : `&after=${from}`}`,
      )
      messages.push(...items)
      if (items.length < 100) break
    }
    const last = remembered(`read.${table.id}`) ?? 0
    talk.unread = messages.filter(({ id, seat }) => id > last && seat !== table.me()).length
    if (isLoaded) return
    muted = (await get(`${table.path}/mutes`)).seats ?? []
    const mine = await get(`${table.path}/note`)
    note = mine.text
    noted = mine.seq
    isLoaded = true
  }

  function read() {
    remember(`read.${table.id}`, messages.at(-1)?.id ?? 0)
    inbox.spoken.delete(table.id)
    talk.unread = 0
  }

  const say = () =>
    asked.ask(async () => {
      const said = text
      if (!said.trim()) return
      await send('POST', `${table.path}/messages`, { text: said })
      // Text typed meanwhile is the next message.
      if (text === said) text = ''
      await load(true)
    })

  /** @param {number} seat */
  const mute = (seat) =>
    asked.ask(async () => {
      const off = muted.includes(seat)
      muted = (await send(off ? 'DELETE' : 'PUT', `${table.path}/mutes/${seat}`)).seats
    })

  /** Players that I have blocked here. @type {Set<string>} */
  const blocked = new Set()
  /** @param {string} player @param {number} seat */
  const blockButton = (player, seat) => {
    const isBlocked = blocked.has(player)
    const turn = () =>
      asked.ask(async () => {
        await send(isBlocked ? 'DELETE' : 'PUT', `/v1/me/blocks/${player}`)
        if (isBlocked) blocked.delete(player)
        else blocked.add(player)
      })
    return h(
      'button.quiet',
      { type: 'button', key: `block ${player}`, ...oneAtATime(asked), onclick: () => void turn() },
      t(isBlocked ? 'unblock_name' : 'block_name', { name: table.name(seat) }),
    )
  }

  function messagesPanel() {
    const heard = messages.filter(({ seat }) => !muted.includes(seat))
    const others = (table.view?.seats ?? []).filter(({ seat, player }) => seat !== table.me() && player)
    return h(
      'div.talk',
      null,
      h('p.small', null, t('only_seats_talk')),
      h(
        'ol.messages',
        { tabindex: '0', 'aria-label': t('messages'), made: stick },
        heard.length === 0 && h('li', { key: 'none' }, t('no_messages')),
        heard.map(({ id, seat, player, text: said, at }) =>
          h(
            'li',
            { key: String(id) },
            h('span.who', null, seatShape(seat), nameOf(player)),
            h('p', null, h('bdi', null, said)),
            h('time', { datetime: at }, moment(at)),
            seat !== table.me() &&
              reportOf({ game: table.id, message: id }, t('report_message', { name: table.name(seat) })),
          ),
        ),
      ),
      h(
        'form.inline',
        { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void say()) },
        h('label.unseen', { for: 'say' }, t('message')),
        h('input', {
          id: 'say',
          value: text,
          maxlength: '1000',
          autocomplete: 'off',
          oninput: (/** @type {any} */ event) => (text = event.target.value),
        }),
        h('button', { type: 'submit', ...oneAtATime(asked) }, icon('chat'), t('say')),
      ),
      trouble(asked.problem),
      h(
        'div.mutes',
        null,
        others.map(({ seat, player }) => [
          h(
            'button.quiet',
            { type: 'button', key: String(seat), ...oneAtATime(asked), onclick: () => void mute(seat) },
            t(muted.includes(seat) ? 'unmute' : 'mute', { name: table.name(seat) }),
          ),
          player &&
            !player.bot && [
              blockButton(player.id, seat),
              reportOf({ player: player.id }, t('report_player', { name: table.name(seat) })),
            ],
        ]),
        table.game?.title && reportOf({ game: table.id }, t('report_title')),
      ),
    )
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let soon
  /** @param {string} typed */
  function write(typed) {
    note = typed
    kept = false
    clearTimeout(soon)
    soon = setTimeout(() => void keepNote(), 800)
    redraw()
  }

  /** Saves the notes when the page is closed. */
  function keepAtLast() {
    if (kept) return
    kept = true
    void fetch(`${table.path}/note`, {
      method: 'PUT',
      keepalive: true,
      headers: { ...headers('*/*'), 'content-type': 'application/json' },
      body: JSON.stringify({ text: note }),
    }).catch(() => null)
  }
  window.addEventListener('pagehide', keepAtLast)

  const keepNote = () =>
    noting.ask(async () => {
      while (!kept) {
        const text = note
        noted = (await send('PUT', `${table.path}/note`, { text })).seq
        kept = note === text
      }
    })

  function notePanel() {
    return h(
      'div.talk',
      null,
      h('label.small', { for: 'note' }, t('note_help')),
      h('textarea', {
        id: 'note',
        rows: '12',
        value: note,
        disabled: !isLoaded,
        oninput: (/** @type {any} */ event) => write(event.target.value),
        onblur: () => !kept && void keepNote(),
      }),
      h(
        'button',
        { type: 'button', disabled: kept, ...oneAtATime(noting), onclick: () => void keepNote() },
        t('keep_note'),
      ),
      trouble(noting.problem),
      kept && noted !== null && h('p.small', { role: 'status' }, t('note_kept', { seq: noted })),
    )
  }

  return talk
}

/** @typedef {ReturnType<typeof openTalk>} Talk */
