// Past positions of a table. Each is loaded once and kept, with its neighbours.

import { get } from '../base/api.js'
import { links } from '../base/route.js'

/** @typedef {import('../types.d.ts').View} View */

/** Kept positions: more than any game has so far. */
const MOST = 2000

/** @param {import('./model.js').Table} table @param {() => void} redraw */
export function openPast(table, redraw) {
  /** @type {Map<string, View>} */
  const known = new Map()
  /** @type {Map<string, Promise<View | null>>} */
  const asked = new Map()
  const past = {
    /** The shown entry, or null for the present. @type {number | null} */
    seq: null,
    /** The perspective after the end: a seat, everything, or the own one. @type {string | null} */
    as: null,
    /** The view of that entry, or the previous one until it is loaded. @type {View | null} */
    view: null,
    to,
    by: (/** @type {number} */ step) => to((past.seq ?? last()) + step),
    byRound,
    see,
    at,
    has: (/** @type {number} */ seq) => known.has(`${seq} `),
    keep,
    rounds,
    arrive,
    /** Called when the position changes. */
    onMove: () => {},
    before,
  }

  const last = () => table.items.at(-1)?.seq ?? 0

  /** Goes to an entry, which has its own address. @param {number} seq */
  function to(seq) {
    const there = seq >= last() ? null : Math.max(0, seq)
    past.onMove()
    history.replaceState(null, '', links.table(table.id, there))
    arrive(there)
  }

  /** Shows the position of an address. @param {number | null} seq */
  function arrive(seq) {
    past.seq = seq === null || seq >= last() ? null : seq
    if (past.seq !== null) past.view = known.get(`${past.seq} ${past.as ?? ''}`) ?? past.view ?? table.view
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

  /** Changes the perspective. @param {string | null} as */
  function see(as) {
    past.as = as
    void show()
    redraw()
  }

  /** Keeps a view that arrived with its entry. @param {View} view */
  function keep(view) {
    if (known.size >= MOST) known.clear()
    known.set(`${view.seq} `, view)
  }

  /** Returns the view after the player's last act, if entries followed. Loaded once. */
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

  /** Returns the first entry of each round. */
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

  /**
   * Returns the view after an entry.
   * @param {number} seq
   * @param {string | null} [as]
   * @returns {Promise<View | null>}
   */
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
