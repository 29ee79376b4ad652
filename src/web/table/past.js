// The past of a table: each entry is a position, which is asked for once and kept, with those beside it.

import { get } from '../base/api.js'
import { links } from '../base/route.js'

/** @typedef {import('../types.d.ts').View} View */

/** How many positions are kept: more than any game so far has, and little memory. */
const MOST = 2000

/** @param {import('./model.js').Table} table @param {() => void} redraw */
export function openPast(table, redraw) {
  /** @type {Map<string, View>} */
  const known = new Map()
  /** @type {Map<string, Promise<View | null>>} */
  const asked = new Map()
  const past = {
    /** The entry that is looked at; null for now. @type {number | null} */
    seq: null,
    /** With whose eyes, after the end: a seat, everybody, or one's own. @type {string | null} */
    as: null,
    /** What is seen there; the last that was, until it is there. @type {View | null} */
    view: null,
    to,
    by: (/** @type {number} */ step) => to((past.seq ?? last()) + step),
    byRound,
    see,
    at,
    rounds,
    arrive,
    /** What else ends when somebody goes elsewhere. */
    onMove: () => {},
    before,
  }

  const last = () => table.items.at(-1)?.seq ?? 0

  /** Goes to an entry: that is another place, with a link of its own. @param {number} seq */
  function to(seq) {
    const there = seq >= last() ? null : Math.max(0, seq)
    past.onMove()
    history.replaceState(null, '', links.table(table.id, there))
    arrive(there)
  }

  /** Shows what an address names. @param {number | null} seq */
  function arrive(seq) {
    past.seq = seq === null || seq >= last() ? null : seq
    void show()
    redraw()
  }

  /** @param {number} step */
  function byRound(step) {
    const here = past.seq ?? last()
    const starts = rounds().map(({ seq }) => seq)
    const target = step < 0 ? starts.findLast((seq) => seq < here) : starts.find((seq) => seq > here)
    to(target ?? (step < 0 ? 0 : last()))
  }

  /** With whose eyes the game is seen. @param {string | null} as */
  function see(as) {
    past.as = as
    void show()
    redraw()
  }

  /** How the table was when I last did something, if anything has happened since; it is asked for once. */
  function before() {
    if (
      past.seq !== null ||
      past.as !== null ||
      table.me() === null ||
      table.seen < 0 ||
      table.seen >= last()
    )
      return null
    const view = known.get(`${table.seen} `)
    if (!view) void at(table.seen).then((found) => found && redraw())
    return view?.state ?? null
  }

  /** Where each round begins. */
  function rounds() {
    return table.items.flatMap(({ seq, events }) => {
      const start = events.find((event) => event.type === 'round_started')
      return start && 'round' in start ? [{ seq, round: start.round }] : []
    })
  }

  async function show() {
    const { seq, as } = past
    if (seq === null && as === null) {
      past.view = null
      return
    }
    const here = seq ?? last()
    const view = await at(here, as)
    if (past.seq !== seq || past.as !== as) return
    past.view = view
    redraw()
    for (const near of [here + 1, here - 1, here + 2, here - 2])
      if (near >= 0 && near <= last()) void at(near, as)
  }

  /** The view after an entry. @param {number} seq @param {string | null} [as] @returns {Promise<View | null>} */
  function at(seq, as = null) {
    const name = `${seq} ${as ?? ''}`
    const there = known.get(name)
    if (there) return Promise.resolve(there)
    const already = asked.get(name)
    if (already) return already
    const asking = get(`${table.path}/view?words=true&seq=${seq}${as ? `&as=${as}` : ''}`)
      .then((view) => {
        if (known.size >= MOST) known.clear()
        known.set(name, view)
        return view
      })
      .catch(() => null)
      .finally(() => asked.delete(name))
    asked.set(name, asking)
    return asking
  }

  return past
}

/** @typedef {ReturnType<typeof openPast>} Past */
