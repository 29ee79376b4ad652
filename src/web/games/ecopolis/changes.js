// Changes of the player's seat by a draft.

import { number, signed, t } from '../../base/words.js'
import { changeList } from '../../table/tray.js'

/** @param {import('../../table/page.js').Parts} parts */
export function changes({ state, before, me }) {
  const old = before?.seats[me ?? -1],
    now = state.seats[me ?? -1]
  if (!old || !now) return null
  return changeList([
    [t('balance'), signed(old.balance), signed(now.balance)],
    [t('credits'), number(old.credits), number(now.credits)],
    [t('euros'), number(old.euros), number(now.euros)],
  ])
}
