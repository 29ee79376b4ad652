// What an entry is told as: what it is about, and beside it what that brought along.

/** @typedef {import('../types.d.ts').Happening} Happening */

/** What an entry brings about beside what it is about. */
const ASIDE = new Set([
  'card_dealt',
  'duplicate_discarded',
  'turn_began',
  'supply_shuffled',
  'events_shuffled',
  'round_started',
  'offer_completed',
  'territory_dealt',
])

/** What it is about, and what stands beside that; if nothing is about anything, all of it is told.
 * @param {Happening['events']} events */
export function parted(events) {
  const about = events.filter(({ type }) => !ASIDE.has(type))
  return about.length
    ? { about, aside: events.filter(({ type }) => ASIDE.has(type)) }
    : { about: events, aside: [] }
}

/** Entries that concern the shuffle and signatures, and no player at the table. */
const TECHNICAL = new Set(['entropy_revealed', 'keys_revoked', 'rekeyed'])

/** @param {Happening} item */
export const isTechnical = ({ events }) =>
  events.length > 0 && events.every(({ type }) => TECHNICAL.has(type))

/** A line for each event; equal events in a row share one. @param {{text?: string | null}[]} events */
export function lines(events) {
  /** @type {{text: string, times: number}[]} */
  const said = []
  for (const { text } of events) {
    const last = said.at(-1)
    if (last && last.text === text) last.times += 1
    else said.push({ text: text ?? '', times: 1 })
  }
  return said.map(({ text, times }) => (times > 1 ? `${text} (×${times})` : text))
}

/** What an entry is about, in words. @param {Happening | undefined} item */
export const gist = (item) => lines(parted(item?.events ?? []).about).join(' ')
