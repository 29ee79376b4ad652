// What one check came to: it holds, it fails, or it was not run.

/** @typedef {keyof typeof import('../texts/check.js').CHECK} CheckText */
/** @typedef {{outcome: 'pass', say: CheckText, args: Record<string, string | number>}
 *   | {outcome: 'fail', seq: number | null, why: string}
 *   | {outcome: 'not_run', say: CheckText, args: Record<string, string | number>}} Verdict */

/** @param {CheckText} say @param {Record<string, string | number>} [args] @returns {Verdict} */
export const pass = (say, args = {}) => ({ outcome: 'pass', say, args })

/** @param {number | null} seq @param {string} why @returns {Verdict} */
export const fail = (seq, why) => ({ outcome: 'fail', seq, why })

/** @param {CheckText} say @param {Record<string, string | number>} [args] @returns {Verdict} */
export const notRun = (say, args = {}) => ({ outcome: 'not_run', say, args })
