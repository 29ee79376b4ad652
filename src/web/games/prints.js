// Games with their own boards, a folder for each. Other games are played by texts alone.

import { h } from '../base/view.js'
import { industrialWaste } from './industrial-waste/print.js'
import { ecopolis } from './ecopolis/print.js'
import { plainTray } from '../table/tray.js'

/**
 * The boards of a game: `board` between prompt and scrubber, `more` below; `figure` draws the pictures of the rules, the rest is for the result.
 * @typedef {{kind: string, board: (parts: import('../table/page.js').Parts) => import('../base/view.js').Child, more?: (parts: import('../table/page.js').Parts) => import('../base/view.js').Child, seats?: () => [string, string], won?: (name: string, total: number, state: any) => string, unit?: () => string, total?: (entry: any) => number | undefined, rows?: (catalogue: any) => [string, (entry: any) => number][], scoring?: string, worth?: (state: any, seat: number) => number | null, needsEyes?: boolean, curve?: () => string, primary?: (parts: import('../table/page.js').Parts) => import('../types.d.ts').LegalCommand[], warnings?: (parts: import('../table/page.js').Parts) => string[], moment?: (event: any, me: number | null) => import('../table/moments.js').Moment | null, figure?: (id: string, catalogue: import('../types.d.ts').Catalogue) => import('../base/view.js').Child}} Print
 */

/** @type {Record<string, Print>} */
const PRINTS = { 'industrial-waste': industrialWaste, ecopolis }

/** @type {Print} */
const PLAIN = { kind: 'plain', board: (parts) => [plainTray(parts), plainState(parts)] }

/** @param {string} ruleset */
export const printOf = (ruleset) => PRINTS[ruleset] ?? PLAIN

/** Shows a state with the names of the catalogue. @param {import('../table/page.js').Parts} parts */
function plainState({ state, catalogue }) {
  /** @param {string} id */
  const name = (id) => catalogue?.fields.find((field) => field.id === id)?.name ?? id
  /** @param {any} value @returns {import('../base/view.js').Child} */
  const shown = (value) => {
    if (value === null || typeof value !== 'object') return String(value ?? '–')
    if (Array.isArray(value))
      return h(
        'ol',
        null,
        value.map((item) => h('li', null, shown(item))),
      )
    return h(
      'dl',
      null,
      Object.entries(value).map(([id, inner]) => [h('dt', null, name(id)), h('dd', null, shown(inner))]),
    )
  }
  return h('section.sheet.plain-state', null, shown(state))
}
