// Coming back: by the recovery code, or by a code that another device shows.

import { asking, oneAtATime } from '../base/asking.js'
import { go, links } from '../base/route.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { trouble } from './parts.js'
import { comeBack } from './settings.js'

/** @param {{code: string}} route @param {() => void} redraw @returns {import('../main.js').Page} */
export function codePage(route, redraw) {
  let code = route.code
  const asked = asking(redraw)
  const enter = () => asked.ask(async () => {
    await comeBack(code.trim())
    go(links.home)
  })
  return {
    title: () => t('have_code'),
    view: () => h('main.narrow', { id: 'main' }, h('section.sheet', null, h('h1', null, t('have_code')),
      h('form.stack', { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void enter()) },
        h('label', { for: 'code' }, t('recovery_code')),
        h('input.code', { id: 'code', value: code, autocomplete: 'off', spellcheck: 'false', required: true, oninput: (/** @type {any} */ event) => (code = event.target.value) }),
        h('p.small', null, t('recovery_help')), trouble(asked.problem),
        h('button.main.large', { type: 'submit', ...oneAtATime(asked) }, t('come_back'))))),
  }
}
