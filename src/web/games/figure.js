// A table without players, for the pictures of a rule book.

import { t } from '../base/words.js'

/**
 * @param {any} state
 * @param {import('../types.d.ts').Catalogue} catalogue
 * @returns {import('../table/page.js').Parts}
 */
export const figureParts = (state, catalogue) =>
  /** @type {any} */ ({
    state,
    catalogue,
    before: null,
    me: null,
    legal: [],
    freeForm: [],
    ui: { game: {}, amounts: {} },
    past: { seq: null, as: null },
    draft: { steps: [], isClosed: () => true },
    redraw: () => undefined,
    table: {
      seen: -1,
      items: [],
      view: null,
      game: { status: 'running' },
      sending: false,
      me: () => null,
      name: (/** @type {number} */ seat) => t('seat_n', { n: seat + 1 }),
      player: (/** @type {number} */ seat) => ({ name: t('seat_n', { n: seat + 1 }), bot: false }),
      spot: () => ({ seq: 0 }),
    },
  })
