// A report to the operator, in two presses: the button, and the reason.

import { send } from '../base/api.js'
import { asking, oneAtATime } from '../base/asking.js'
import { icon } from '../base/icons.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { trouble } from './parts.js'

/** @typedef {{player?: string, game?: string, message?: number}} Subject */

const REASONS = /** @type {const} */ (['abuse', 'cheating', 'name', 'other'])

/** @param {() => void} redraw */
export function reports(redraw) {
  const asked = asking(redraw)
  /** The subject that is being reported, and those that were. */
  let open = ''
  /** @type {Set<string>} */
  const done = new Set()

  /** @param {string} key @param {Subject} subject @param {typeof REASONS[number]} reason */
  const report = (key, subject, reason) =>
    asked.ask(async () => {
      await send('POST', '/v1/reports', { ...subject, reason })
      done.add(key)
      open = ''
    })

  /**
   * The button of a subject, and then its reasons.
   * @param {Subject} subject
   * @param {string} label what is reported, for screen readers
   */
  return (subject, label) => {
    const key = JSON.stringify(subject)
    if (done.has(key)) return h('small', { key, role: 'status' }, t('reported'))
    const turn = () => {
      open = open === key ? '' : key
      redraw()
    }
    return h(
      'span.report',
      { key },
      h(
        'button.quiet.small',
        {
          type: 'button',
          'aria-expanded': String(open === key),
          'aria-label': label,
          title: label,
          onclick: turn,
        },
        icon('flag'),
      ),
      open === key && [
        REASONS.map((reason) =>
          h(
            'button.small',
            {
              type: 'button',
              key: reason,
              ...oneAtATime(asked),
              onclick: () => void report(key, subject, reason),
            },
            t(`report_${reason}`),
          ),
        ),
        trouble(asked.problem),
      ],
    )
  }
}
