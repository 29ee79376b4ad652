// Equivalent commands.

/** @typedef {import('../types.d.ts').LegalCommand} LegalCommand */

/**
 * Returns commands without those that differ only in the order of a list.
 * @param {LegalCommand[]} legal
 * @param {string} field
 */
export function eachOnce(legal, field) {
  const known = new Set()
  return legal.filter(({ command }) => {
    const { [field]: list, ...rest } = /** @type {Record<string, any>} */ (command)
    const name = JSON.stringify({ ...rest, [field]: [...(list ?? [])].sort() })
    return !known.has(name) && known.add(name)
  })
}
