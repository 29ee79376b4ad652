// Texts with gaps, filled.

/**
 * Fills a text: `{name}` is an argument, `{n|one|many}` a form of a number.
 * @param {string} text
 * @param {Record<string, any>} args
 * @param {(value: number) => string} number how a number is written
 */
export function fill(text, args, number) {
  const formed = text.replace(/\{(\w+)\|([^|]*)\|((?:[^{}]|\{\w+\})*)\}/g, (_, key, one, many) =>
    args[key] === 1 ? one : many,
  )
  return formed.replace(/\{(\w+)\}/g, (whole, key) => {
    const value = args[key]
    return value === undefined ? whole : typeof value === 'number' ? number(value) : String(value)
  })
}
