// The prompt: the player's decision in a line, and the draft below.

import { oneAtATime } from '../base/asking.js'
import { icon, seatShape } from '../base/icons.js'
import { letter } from '../base/keys.js'
import { isSmall } from '../base/screen.js'
import { links } from '../base/route.js'
import { remember, remembered, settings } from '../base/store.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { printOf } from '../games/prints.js'
import { trouble } from '../home/parts.js'
import { feltSince } from './moments.js'
import { holdButton, skipButton } from './playback.js'
import { gist } from './sentences.js'

/** @typedef {import('./page.js').Parts} Parts */

/** @param {Parts} parts */
function words({ table, draft, past, playback }) {
  if (playback.now)
    return playback.now.of === null
      ? playback.now.text
      : t('playing_back', { n: playback.now.no, of: playback.now.of, text: playback.now.text })
  if (past.seq !== null) {
    const last = table.items.at(-1)?.seq ?? 0
    const text = gist(table.items.find(({ seq }) => seq === past.seq))
    return t('in_the_past_of', { seq: past.seq, of: last, text })
  }
  if (table.sending) return t('sending')
  if (draft.elsewhere) return `${t('played_elsewhere')} ${table.view?.prompt ?? ''}`
  if (draft.meanwhile) return t('acted_meanwhile', { name: draft.meanwhile })
  if (draft.steps.length > 0 && draft.isClosed()) return t('drafted_closed', { n: draft.steps.length })
  if (draft.steps.length === 1) return t('drafted_one')
  if (draft.steps.length > 1) return t('drafted_many', { n: draft.steps.length })
  const { game, view } = table
  if (game?.status === 'void') return t('table_void')
  if (game?.status === 'open')
    return t('waits_for_seats', { n: game.seats.filter(({ player }) => !player).length })
  if (game?.status === 'sealed') return t('waits_for_bytes')
  if (view?.paused) return t('paused_prompt')
  return view?.prompt ?? t('you_watch')
}

/** @param {Parts} parts */
export function prompt(parts) {
  const { table, draft, past, playback } = parts
  const me = table.me()
  const decides = table.view?.to_act[0] ?? null
  const isMine = me !== null && decides === me && past.seq === null
  // A finished game waits for no seat.
  const seat = past.seq !== null || table.game?.status === 'finished' ? null : (decides ?? me)
  return h(
    'section',
    {
      key: 'prompt',
      class: `prompt${isMine || draft.steps.length ? ' mine' : ''}${playback.now ? ' playing' : past.seq === null ? '' : ' in-past'}`,
      'aria-labelledby': 'prompt',
    },
    h(
      'div.ask',
      null,
      seat !== null && h('span.seat-mark', null, seatShape(seat)),
      h(
        'div.says',
        null,
        h(
          'h2',
          { id: 'prompt', tabindex: '-1', 'aria-live': 'polite' },
          h('bdi', { dir: 'ltr' }, words(parts)),
        ),
        hint(parts),
      ),
      playback.now && [holdButton(playback), skipButton(playback)],
      past.seq !== null &&
        !playback.now &&
        h('button', { type: 'button', onclick: () => backToNow(parts) }, t('back_to_now')),
      past.seq === null &&
        table.isAway() &&
        h(
          'button',
          { type: 'button', ...oneAtATime(table), onclick: () => void table.ask(table.resume) },
          t('take_over'),
        ),
      past.seq === null && draft.steps.length > 0 ? drafted(parts) : helpButton(parts),
    ),
    past.seq === null && table.isFalse && h('p.trouble', { key: 'false', role: 'alert' }, t('log_false')),
    past.seq === null && table.isKeyless && h('p.keyless', { key: 'keyless' }, t('key_lost')),
    trouble(table.problem, table.game?.ruleset),
  )
}

/** @param {Parts} parts */
const warnings = (parts) => printOf(parts.table.game?.ruleset ?? '').warnings?.(parts) ?? []

/**
 * The line below the prompt: what happened to the player, or what can be done.
 * @param {Parts} parts
 */
function hint(parts) {
  const { table, draft, past, playback, call, me } = parts
  if (playback.now) return null
  const line = (
    /** @type {'drafts_here' | 'your_turn_now' | 'draft_stays' | 'one_way' | 'drafts_later'} */ text,
  ) => h('p.hint', { key: 'hint' }, t(text))
  if (draft.steps.length > 0 && past.seq !== null) return line('draft_stays')
  const isRunning = table.game?.status === 'running'
  const felt = past.seq === null && draft.steps.length === 0 ? feltSince(parts) : ''
  const warned = isRunning && past.seq === null && !playback.now ? warnings(parts).join(' ') : ''
  if ((isRunning || table.game?.status === 'finished') && (felt || warned))
    return h(
      'p.hint.felt',
      { key: 'felt', role: 'status' },
      h('bdi', { dir: 'ltr' }, felt),
      felt && warned && ' ',
      warned && h('bdi.warned', { dir: 'ltr' }, icon('accident'), warned),
    )
  if (me === null || !isRunning || !settings().tries || draft.steps.length > 0) return null
  if (table.view?.to_act[0] !== me) return (!call.isOpen() && call.view()) || line('drafts_later')
  return line(past.seq !== null ? 'your_turn_now' : draft.tries() ? 'drafts_here' : 'one_way')
}

/** The button of the introduction has words until the player has understood it. @param {Parts} parts */
const isNew = ({ table }) => !remembered(`knows.${table.game?.ruleset}`)

/** @param {Parts} parts */
function helpButton(parts) {
  const { table, summary, ui, redraw } = parts
  if (table.game?.status !== 'running' || table.me() === null || !summary) return null
  const turn = () => {
    ui.help = !ui.help
    redraw()
    if (ui.help) setTimeout(() => document.querySelector('.new-here')?.scrollIntoView({ block: 'center' }))
  }
  return h(
    'button.quiet.help',
    {
      type: 'button',
      'aria-expanded': String(ui.help),
      'aria-label': t('new_here'),
      title: t('new_here'),
      onclick: turn,
    },
    isNew(parts) && !isSmall() ? t('new_here') : '?',
  )
}

/** Introduces the game to new players. @param {Parts} parts */
export function newHere(parts) {
  const { table, summary, ui, redraw } = parts
  if (!ui.help || !table.game) return null
  const seen = () => {
    remember(`knows.${table.game?.ruleset}`, true)
    ui.help = false
    redraw()
  }
  return h(
    'p.new-here',
    { key: 'new' },
    summary,
    ' ',
    h('a', { href: links.rules(table.game.ruleset) }, t('to_the_rules')),
    ' ',
    h('button.quiet', { type: 'button', onclick: seen }, t('understood')),
  )
}

/** @param {Parts} parts */
export function backToNow({ playback, past }) {
  playback.stop()
  past.to(Number.MAX_SAFE_INTEGER)
}

/** @param {Parts} parts */
function drafted({ table, draft }) {
  const next = draft.seen?.view.to_act[0]
  const ready = draft.steps.filter(({ refused }) => !refused).length
  return h(
    'div.draft',
    { key: 'draft' },
    h(
      'ol',
      { 'aria-label': t('draft'), 'aria-live': 'polite', tabindex: '0' },
      draft.steps.map((step, at) =>
        h(
          'li',
          { key: String(at), class: step.refused ? 'struck' : null },
          h('span', null, step.text),
          step.stopped && h('small', null, t(step.stopped === 'chance' ? 'by_chance' : 'by_others')),
          !step.stopped &&
            at === draft.steps.length - 1 &&
            draft.passesOn() &&
            next !== undefined &&
            h('small', null, h('bdi', { dir: 'ltr' }, t('then_plays', { name: table.name(next) }))),
          step.refused && h('small', null, t('no_longer', { why: step.refused.message })),
        ),
      ),
    ),
    h(
      'div.draft-end',
      null,
      h('button.quiet', { type: 'button', onclick: draft.undo }, icon('undo'), t('undo'), letter('U')),
      h('button.quiet', { type: 'button', onclick: draft.clear }, t('clear')),
      ready > 0 &&
        h(
          'button.main',
          { type: 'button', ...oneAtATime(table), onclick: () => void draft.send() },
          icon('tick'),
          t('send_moves', { n: ready }),
          letter('↵'),
        ),
    ),
  )
}
