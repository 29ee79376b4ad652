// Texts of entries: the main events, and side effects.

/** @typedef {import('../types.d.ts').EventItem} EventItem */

/** Events that are side effects. */
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

/**
 * Splits events into main events and side effects. Without main events, all are main.
 * @param {EventItem['events']} events
 */
export function parted(events) {
  const about = events.filter(({ type }) => !ASIDE.has(type))
  return about.length
    ? { about, aside: events.filter(({ type }) => ASIDE.has(type)) }
    : { about: events, aside: [] }
}

/** Events of shuffle and signatures. */
const TECHNICAL = new Set(['entropy_revealed', 'keys_revoked', 'rekeyed'])

/** @param {EventItem} item */
export const isTechnical = ({ events }) =>
  events.length > 0 && events.every(({ type }) => TECHNICAL.has(type))

/**
 * Returns a line for each event, with the event. Equal consecutive events share one.
 * @param {EventItem['events']} events
 */
export function lines(events) {
  /** @type {{text: string, times: number, event: EventItem['events'][number]}[]} */
  const said = []
  for (const event of events) {
    const last = said.at(-1)
    if (last && last.text === event.text) last.times += 1
    else said.push({ text: event.text ?? '', times: 1, event })
  }
  return said.map(({ text, times, event }) => ({ text: times > 1 ? `${text} (×${times})` : text, event }))
}

/** Returns the main events of an entry as text. @param {EventItem | undefined} item */
export const gist = (item) =>
  lines(parted(item?.events ?? []).about)
    .map(({ text }) => text)
    .join(' ')
