// The verdict of a check, with its finding.

/** @typedef {import('../base/finding.js').Finding} Finding */
/** @typedef {{outcome: 'pass' | 'fail' | 'not_run', seq: number | null, finding: Finding}} Verdict */

/** @param {Finding} finding @returns {Verdict} */
export const pass = (finding) => ({ outcome: 'pass', seq: null, finding })

/** @param {number | null} seq @param {Finding} finding @returns {Verdict} */
export const fail = (seq, finding) => ({ outcome: 'fail', seq, finding })

/** @param {Finding} finding @returns {Verdict} */
export const notRun = (finding) => ({ outcome: 'not_run', seq: null, finding })
