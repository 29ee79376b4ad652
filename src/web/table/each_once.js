// Commands that differ in nothing that matters.

/** @typedef {import('../types.d.ts').LegalCommand} LegalCommand */

/** Commands of which some differ only in the order of a list: each once. @param {LegalCommand[]} legal @param {string} field */
export function eachOnce(legal, field) {
  const known = new Set()
  return legal.filter(({ command }) => {
    const { [field]: list, ...rest } = /** @type {Record<string, any>} */ (command)
    const name = JSON.stringify({ ...rest, [field]: [...(list ?? [])].sort() })
    return !known.has(name) && known.add(name)
  })
}
