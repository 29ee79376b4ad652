// The rest of a report: tenures, signing keys, and acts of the operator.

import { fill } from '../base/fill.js'
import { h } from '../base/view.js'
import { known, language, number, t } from '../base/words.js'
import { FINDINGS } from '../texts/findings.js'

/** @typedef {import('./verify.js').Report} Report */
/** @typedef {import('./tenures.js').Tenure} Tenure */

/** Returns a finding in the reader's language. @param {import('./verdict.js').Finding} finding */
export const worded = ({ code, values }) => fill(FINDINGS[code][language()], values, number)

/** Shows seats with their keys, and notable entries. @param {Report} report */
export function players({ tenures, notable }) {
  return [
    tenures.length > 0 && [
      h('h3', { key: 'who' }, t('who_signed')),
      h('ul.tenures', { key: 'tenures' }, tenures.map(tenure)),
    ],
    notable.length > 0 && [
      h('h3', { key: 'acts' }, t('notable')),
      h('ul.tenures', { key: 'notable' }, notable.map(act)),
    ],
  ]
}

/** @param {Tenure} of */
function tenure({ seat, from, player, bot, keys, proved }) {
  const said =
    bot !== null
      ? t('seat_of_bot', { level: known('', bot) })
      : keys.every(({ key }) => key === null)
        ? t('seat_unsigned')
        : t(`proved_${proved}`)
  return h(
    'li',
    { key: `${seat} ${from}` },
    h(
      'div',
      null,
      h('strong', null, t('seat_n', { n: seat + 1 })),
      from > seat + 1 && h('small', null, ' ', t('from_entry', { seq: from })),
      ' ',
      said,
      bot === null &&
        h(
          'details',
          null,
          h('summary', null, t('keys_of_seat')),
          h('p.small', null, t('player_id'), ' ', h('code', null, player)),
          h(
            'ul',
            null,
            keys.map(({ seq, what, key }) =>
              h(
                'li',
                { key: `${seq} ${key}` },
                t(`key_${what}`, { seq }),
                ' ',
                key ? h('code', null, key) : t('no_key'),
              ),
            ),
          ),
        ),
    ),
  )
}

/** @param {Report['notable'][number]} of */
function act({ seq, type, seat, text, ms }) {
  const said = t(/** @type {'notable_rekey'} */ (`notable_${type}`), {
    seq,
    n: (seat ?? 0) + 1,
    minutes: Math.ceil((ms ?? 0) / 60_000),
  })
  return h(
    'li',
    { key: String(seq) },
    h('div', null, said, text !== null && h('p', null, h('bdi', null, `“${text}”`))),
  )
}
