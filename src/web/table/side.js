// Side panels: log, notes, messages and rules.

import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { logPanel } from './log.js'

/** @typedef {import('./page.js').Parts} Parts */

/** @param {Parts} parts */
export function side(parts) {
  const { table, talk, rules, ui, redraw } = parts
  const names = table.me() === null ? ['log', 'rules'] : ['log', 'notes', 'messages', 'rules']
  /** @param {string} name */
  const choose = (name) => () => {
    ui.tab = name
    if (name === 'messages') talk.read()
    redraw()
  }
  /** @param {any} event */
  const turn = (event) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (!step) return
    event.preventDefault()
    const next = names[(names.indexOf(ui.tab) + step + names.length) % names.length] ?? 'log'
    choose(next)()
    setTimeout(() => document.getElementById(`tab-${next}`)?.focus())
  }
  return h(
    'aside.side',
    { id: 'side', 'aria-label': t('log') },
    h(
      'div.tabs',
      { role: 'tablist', onkeydown: turn },
      names.map((name) =>
        h(
          'button',
          {
            type: 'button',
            role: 'tab',
            key: name,
            id: `tab-${name}`,
            'aria-selected': String(ui.tab === name),
            'aria-controls': 'panel',
            tabindex: ui.tab === name ? '0' : '-1',
            onclick: choose(name),
          },
          t(/** @type {'log'} */ (name)),
          name === 'messages' && talk.unread > 0 && h('span.count', null, talk.unread),
        ),
      ),
    ),
    h(
      'div.panel',
      { id: 'panel', role: 'tabpanel', 'aria-labelledby': `tab-${ui.tab}` },
      ui.tab === 'log' && logPanel(parts),
      ui.tab === 'notes' && talk.notePanel(),
      ui.tab === 'messages' && talk.messagesPanel(),
      ui.tab === 'rules' &&
        h('div.rules-panel', { tabindex: '0', role: 'region', 'aria-label': t('rules') }, rules.view()),
    ),
  )
}
