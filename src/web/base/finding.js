// A finding: a code of the table shared with the verifier in Rust, and values.

/** @typedef {keyof typeof import('../texts/findings.js').FINDINGS} Code */
/** @typedef {{code: Code, values: Record<string, string | number>}} Finding */

/** @param {Code} code @param {Record<string, string | number>} [values] @returns {Finding} */
export const found = (code, values = {}) => ({ code, values })
