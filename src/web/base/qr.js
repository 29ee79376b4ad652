// QR codes (ISO/IEC 18004): bytes, lowest correction, up to version 6 with 134 bytes.

import { utf8 } from './bytes.js'
import { h } from './view.js'

/** For each version: code words, correction words per block, blocks. */
const VERSIONS = [
  [26, 7, 1],
  [44, 10, 1],
  [70, 15, 1],
  [100, 20, 1],
  [134, 26, 1],
  [172, 18, 2],
]
/** Correction L, mask 0. */
const FORMAT = 0b111011111000100

const EXP = new Uint8Array(512)
const LOG = new Uint8Array(256)
for (let at = 0, value = 1; at < 255; at += 1) {
  EXP[at] = EXP[at + 255] = value
  LOG[value] = at
  value = (value << 1) ^ (value & 128 ? 0x11d : 0)
}

/** @param {number} a @param {number} b */
const times = (a, b) => (a && b ? (EXP[(LOG[a] ?? 0) + (LOG[b] ?? 0)] ?? 0) : 0)

/** Returns the correction words of a block. @param {number[]} data @param {number} count */
function correction(data, count) {
  let divisor = [1]
  for (let at = 0; at < count; at += 1) {
    const next = [...divisor, 0]
    divisor.forEach(
      (factor, place) => (next[place + 1] = (next[place + 1] ?? 0) ^ times(factor, EXP[at] ?? 0)),
    )
    divisor = next
  }
  const rest = [...data, ...Array(count).fill(0)]
  data.forEach((_, at) => {
    const factor = rest[at] ?? 0
    divisor.forEach((part, place) => (rest[at + place] = (rest[at + place] ?? 0) ^ times(part, factor)))
  })
  return rest.slice(data.length)
}

/** @param {Uint8Array} bytes @param {number[]} version */
function words(bytes, [total = 0, mend = 0, blocks = 1]) {
  const room = total - mend * blocks
  const bits = [
    0,
    1,
    0,
    0,
    ...binary(bytes.length, 8),
    ...[...bytes].flatMap((byte) => binary(byte, 8)),
    0,
    0,
    0,
    0,
  ]
  const data = Array.from({ length: Math.ceil(bits.length / 8) }, (_, at) =>
    bits
      .slice(at * 8, at * 8 + 8)
      .concat(Array(8).fill(0))
      .slice(0, 8)
      .reduce((sum, bit) => sum * 2 + bit, 0),
  )
  for (let pad = 0xec; data.length < room; pad ^= 0xec ^ 0x11) data.push(pad)
  const size = room / blocks
  const parts = Array.from({ length: blocks }, (_, block) => data.slice(block * size, block * size + size))
  const mended = parts.map((part) => correction(part, mend))
  /** @param {number[][]} all */
  const woven = (all) => (all[0] ?? []).flatMap((_, at) => all.map((part) => part[at] ?? 0))
  return [...woven(parts), ...woven(mended)]
}

/** @param {number} value @param {number} length */
const binary = (value, length) => Array.from({ length }, (_, at) => (value >> (length - 1 - at)) & 1)

/**
 * Returns the dark and light squares, or null if the text is too long.
 * @param {string} text
 * @returns {boolean[][] | null}
 */
export function squares(text) {
  const bytes = utf8(text)
  const no = VERSIONS.findIndex(
    ([total = 0, mend = 0, blocks = 1]) => bytes.length + 2 <= total - mend * blocks,
  )
  const version = VERSIONS[no]
  if (!version) return null
  const size = 21 + 4 * no
  /** @type {(boolean | null)[][]} */
  const grid = Array.from({ length: size }, () => Array(size).fill(null))
  frame(grid, size, no)
  const bits = words(bytes, version).flatMap((word) => binary(word, 8))
  let at = 0
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step += 1) {
      const row = up ? size - 1 - step : step
      for (const column of [right, right - 1]) {
        const line = grid[row]
        if (!line || line[column] !== null) continue
        line[column] = ((bits[at] ?? 0) === 1) !== ((row + column) % 2 === 0)
        at += 1
      }
    }
  }
  return grid.map((line) => line.map(Boolean))
}

/**
 * Draws the parts that do not depend on the text.
 * @param {(boolean | null)[][]} grid
 * @param {number} size
 * @param {number} no
 */
function frame(grid, size, no) {
  /** @param {number} row @param {number} column @param {boolean} dark */
  const set = (row, column, dark) => {
    const line = grid[row]
    if (line && column >= 0 && column < size) line[column] = dark
  }
  for (const [top, left] of [
    [0, 0],
    [0, size - 7],
    [size - 7, 0],
  ]) {
    for (let row = -1; row <= 7; row += 1) {
      for (let column = -1; column <= 7; column += 1) {
        const ring = Math.max(Math.abs(row - 3), Math.abs(column - 3))
        set((top ?? 0) + row, (left ?? 0) + column, ring !== 2 && ring !== 4)
      }
    }
  }
  const middle = size - 7
  for (let row = -2; no > 0 && row <= 2; row += 1) {
    for (let column = -2; column <= 2; column += 1)
      set(middle + row, middle + column, Math.max(Math.abs(row), Math.abs(column)) !== 1)
  }
  for (let at = 8; at < size - 8; at += 1) {
    set(6, at, at % 2 === 0)
    set(at, 6, at % 2 === 0)
  }
  for (let bit = 0; bit < 15; bit += 1) {
    const dark = ((FORMAT >> bit) & 1) === 1
    set(bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit, 8, dark)
    set(8, bit < 8 ? size - 1 - bit : bit < 9 ? 15 - bit : 14 - bit, dark)
  }
  set(size - 8, 8, true)
}

/** The picture of a text. @param {string} text @param {string} label */
export function picture(text, label) {
  const grid = squares(text)
  if (!grid) return null
  const dark = grid
    .flatMap((line, y) => line.map((is, x) => (is ? `M${x + 4} ${y + 4}h1v1h-1z` : '')))
    .join('')
  const size = grid.length + 8
  return h(
    'svg.qr',
    { viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label },
    h('path', { d: `M0 0h${size}v${size}H0z`, fill: '#fff' }),
    h('path', { d: dark, fill: '#000' }),
  )
}
