// The score of a company.

const POINTS = [0, 15, 10, 6, 3, 1]

/** Returns the score of a company if the game ended now (IW-11.3). @param {any} company */
export function worth(company) {
  return !company || company.cash === null ? null : publicWorth(company)
}

/** Returns the score without cash that is hidden. @param {any} company */
export function publicWorth({ needs, column, cash, loans }) {
  const holes = Object.values(needs).reduce(
    (/** @type {number} */ sum, need) => sum + (POINTS[Number(need)] ?? 0),
    0,
  )
  return column + holes + Math.floor((cash ?? 0) / 2) - 10 * loans
}
