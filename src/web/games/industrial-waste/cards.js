// The cards: four families, each with its band.

/** @type {Record<string, 'trade' | 'building' | 'waste' | 'people'>} */
const FAMILIES = {
  order: 'trade',
  raw_materials: 'trade',
  growth: 'building',
  innovation: 'building',
  waste_disposal: 'waste',
  waste_removal: 'waste',
  advisor: 'people',
  hiring_firing: 'people',
  bribery: 'people',
  accident: 'people',
}

/**
 * Areas of a company, with icons.
 * @type {readonly (readonly ['rationalization' | 'raw_materials' | 'waste_reduction', import('../../base/icons.js').IconName])[]}
 */
export const AREAS = [
  ['rationalization', 'person'],
  ['raw_materials', 'crate'],
  ['waste_reduction', 'barrel'],
]

/** @param {string} kind */
export const family = (kind) => `family-${FAMILIES[kind] ?? 'trade'}`

/** The card of each command. @type {Record<string, string>} */
const PLAYED = {
  complete_order: 'order',
  sell_materials: 'raw_materials',
  grow: 'growth',
  innovate: 'innovation',
  dispose_waste: 'waste_disposal',
  remove_waste: 'waste_removal',
  adjust_workforce: 'hiring_firing',
  repay_loan: 'advisor',
  bribe: 'bribery',
}

/** @param {any} command @param {string[]} hand @returns {string | null} */
export function cardOf(command, hand) {
  if (command.type === 'discard') return command.card
  if (command.type === 'save_card') return hand[0] ?? null
  return PLAYED[command.type] ?? null
}

/**
 * Returns the name of a card, with line breaks allowed after hyphens.
 * @param {import('../../types.d.ts').Catalogue | null} catalogue
 * @param {string} kind
 */
export const cardName = (catalogue, kind) =>
  (catalogue?.cards.find(({ id }) => id === kind)?.name ?? kind).replace('/', '/\u200b')

/** @param {import('../../types.d.ts').Catalogue | null} catalogue @param {string} kind */
export const cardText = (catalogue, kind) => catalogue?.cards.find(({ id }) => id === kind)?.text ?? ''
