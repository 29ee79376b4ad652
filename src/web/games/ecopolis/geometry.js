// Positions of the squares. VIA is the corner at the bottom right; the ring continues to the left.

/** @typedef {'bottom' | 'left' | 'top' | 'right'} Side */
/** @typedef {{x: number, y: number, wide: number, high: number, side: Side, isCorner: boolean, laneX: number, laneY: number}} Place */

const CORNER = 104
/** Lengths of squares along a side: territories are longer, unnamed squares shorter. */
const LENGTHS = [0, 68, 68, 38, 68, 44, 68, 68, 38, 68]
const SIDE = LENGTHS.reduce((sum, length) => sum + length, 0)
/** Distance from the ring to the middle of the road. */
const LANE = 17

export const SIZE = SIDE + 2 * CORNER
export const INNER = { from: CORNER, to: SIZE - CORNER }
export const ROAD = 34

/** @type {Side[]} */
const SIDES = ['bottom', 'left', 'top', 'right']

/** @param {number} square @returns {Place} */
function place(square) {
  const side = SIDES[Math.floor(square / 10)] ?? 'bottom'
  const no = square % 10
  const isCorner = no === 0
  const length = isCorner ? CORNER : (LENGTHS[no] ?? 0)
  const before = isCorner ? -CORNER : LENGTHS.slice(0, no).reduce((sum, one) => sum + one, 0)
  // Distance along the side from its first corner.
  const far = INNER.to - before - length
  const near = INNER.from + before
  const middle = isCorner ? 0 : length / 2
  const at = {
    bottom: { x: far, y: INNER.to, wide: length, high: CORNER, laneX: far + middle, laneY: INNER.to - LANE },
    left: { x: 0, y: far, wide: CORNER, high: length, laneX: INNER.from + LANE, laneY: far + middle },
    top: { x: near, y: 0, wide: length, high: CORNER, laneX: near + middle, laneY: INNER.from + LANE },
    right: { x: INNER.to, y: near, wide: CORNER, high: length, laneX: INNER.to - LANE, laneY: near + middle },
  }[side]
  if (isCorner) {
    at.laneX = at.x < INNER.from ? INNER.from + LANE : INNER.to - LANE
    at.laneY = at.y < INNER.from ? INNER.from + LANE : INNER.to - LANE
  }
  return { ...at, side, isCorner }
}

export const PLACES = Array.from({ length: 40 }, (_, square) => place(square))
