// Icons on a grid of 24 by 24. Seats have a shape and a colour.

import { h } from './view.js'

/** Lines, on a square of 24. */
const PATHS = {
  order: 'M8 4h8v3H8zM8 5H5v16h14V5h-3M8.5 14l2.5 2.5 5-5.5',
  raw_materials: 'M8.5 4h7v7h-7zM3 13h8v8H3zM13 13h8v8h-8z',
  growth: 'M4 20v-5h3v5zM10.500 20v-9h3v9zM17 20V7h3v13zM4 9l6-5M10 4H6.500M10 4v3.500',
  innovation: 'M9.500 17a6.500 6.500 0 1 1 5 0v1.500h-5zM10 21.500h4',
  waste_disposal: 'M6 4h9v15H6zM6 8h9M6 15h9M19 6v10M16.500 13.500 19 16l2.500-2.500',
  waste_removal: 'M3 5h9v15H3zM3 9h9M3 16h9M14 12h7M18.500 9.500 21 12l-2.500 2.500',
  advisor:
    'M8 7.500a4 4 0 1 0 8 0a4 4 0 1 0-8 0M4 21c0-5 3-7.500 8-7.500s8 2.500 8 7.500zM12 14l-1.500 2 1.500 4 1.500-4z',
  hiring_firing:
    'M5 8a3.500 3.500 0 1 0 7 0a3.500 3.500 0 1 0-7 0M2.500 20c0-4 2-6 6-6s6 2 6 6zM19 4v7M16.800 6.200 19 4l2.200 2.200M19 13v7M16.800 17.800 19 20l2.200-2.200',
  bribery: 'M3 6h18v13H3zM3 6l9 7 9-7M12 13m-3.500 1.500a3.500 3.500 0 1 0 7 0',
  accident: 'M12 4 22 20H2zM12 10v5M12 17v.8',
  crate: 'M12 3l8 4.500v9L12 21l-8-4.500v-9zM4 7.500l8 4.500 8-4.500M12 12v9',
  barrel: 'M6 4h12v16H6zM6 8.500h12M6 15.500h12',
  coin: 'M3.500 12a8.500 8.500 0 1 0 17 0a8.500 8.500 0 1 0-17 0M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0',
  loan: 'M3 6h18v12H3zM6 10h4M6 14h6M15 14h3',
  person:
    'M8 7.500a4 4 0 1 0 8 0a4 4 0 1 0-8 0M4.500 21c0-5 2.500-7.500 7.500-7.500s7.500 2.500 7.500 7.500z',
  deck: 'M8 3h11v15H8zM5 6v15h11',
  energy_saving: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  water_saving: 'M12 3c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11zM9 15a3 3 0 0 0 3 3',
  public_transport: 'M5 4h14v13H5zM5 11h14M8 17v3M16 17v3M8 14h.5M15.500 14h.5',
  sustainable_mobility:
    'M2 16a4 4 0 1 0 8 0a4 4 0 1 0-8 0M14 16a4 4 0 1 0 8 0a4 4 0 1 0-8 0M6 16l4-8h6l2 8M10 8l4 8M8 5.500h4',
  green_building: 'M3 11 12 4l9 7M5 10v11h14V10M9 18c0-4 2-5.500 6-5.500 0 4-2 5.500-6 5.500zM9 18l3-3',
  biodiversity: 'M5 19C4 9 9 4 20 4c0 11-5 16-15 15zM5 19l9-9',
  waste_sorting: 'M6 8h12l-1 13H7zM4 8h16M9 8V5h6v3M10 12v5M14 12v5',
  renewable_energy:
    'M12 11v10M9.500 21h5M12 9.500m-1.500 0a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0M12 8V2.500M13.200 10.300l4.800 3M10.800 10.300l-4.800 3',
  cloud: 'M7 18a4 4 0 0 1-.5-8 5.500 5.500 0 0 1 10.700-1A4.500 4.500 0 0 1 17 18z',
  star: 'M12 3l2.700 6 6.300.6-4.800 4.300 1.500 6.400L12 16.900 6.300 20.300l1.500-6.400L3 9.600 9.300 9z',
  clock: 'M3.500 12a8.500 8.500 0 1 0 17 0a8.500 8.500 0 1 0-17 0M12 7v5l3.500 2',
  undo: 'M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3',
  tick: 'M4 13l5 5L20 6',
  cross: 'M5 5l14 14M19 5 5 19',
  dash: 'M5 12h14',
  first: 'M6 5v14M19 5 9 12l10 7z',
  back: 'M17 5 7 12l10 7z',
  forward: 'M7 5l10 7-10 7z',
  last: 'M18 5v14M5 5l10 7-10 7z',
  pause: 'M8 5v14M16 5v14',
  note: 'M5 3h10l4 4v14H5zM15 3v4h4M8 12h8M8 16h6',
  chat: 'M3 5h18v11H11l-5 5v-5H3z',
  link: 'M10 14a4 4 0 0 1 0-5.700l3-3a4 4 0 0 1 5.700 5.700l-1.500 1.500M14 10a4 4 0 0 1 0 5.700l-3 3A4 4 0 0 1 5.300 13l1.500-1.500',
  seal: 'M5.500 9a6.500 6.500 0 1 0 13 0a6.500 6.500 0 1 0-13 0M9 14.500 7.500 21.500l4.500-2.500 4.500 2.500-1.500-7M9.500 9l2 2 3.500-4',
  plan: 'M5 3h14v18H5zM8 8h2M12 8h4M8 12h2M12 12h4M8 16h2M12 16h4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  swap: 'M7 4v13M3 13l4 4 4-4M17 20V7M13 11l4-4 4 4',
  trade: 'M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4',
  branch: 'M6 4v16M6 14c0-5 12-3 12-9M14.500 8 18 4.500 21.500 8',
  flag: 'M6 21V4M6 4h12l-3 4 3 4H6',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21h4M12 3v2',
  sound: 'M4 9h4l6-5v16l-6-5H4zM17 9a4 4 0 0 1 0 6M19.500 6a8 8 0 0 1 0 12',
  silent: 'M4 9h4l6-5v16l-6-5H4zM17 9.500l5 5M22 9.500l-5 5',
  ledger: 'M4 3h16v18H4zM4 9h16M4 15h16M10 3v18',
}

/** @typedef {keyof typeof PATHS} IconName */

/** @param {string} name @returns {name is IconName} */
const isIcon = (name) => name in PATHS

/** @param {string} name @param {Record<string, any>} [attrs] */
export const icon = (name, attrs) =>
  isIcon(name) &&
  h('svg.icon', { viewBox: '0 0 24 24', 'aria-hidden': 'true', ...attrs }, h('path', { d: PATHS[name] }))

/**
 * Returns an icon for a board.
 * @param {string} name
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} [kind]
 */
export const drawn = (name, x, y, size, kind = '') =>
  isIcon(name) &&
  h('path', { class: `line ${kind}`, d: PATHS[name], transform: `translate(${x} ${y}) scale(${size / 24})` })

/**
 * Returns the path of a seat's shape: circle, square, triangle or diamond.
 * @param {number} seat
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
export function shapePath(seat, x, y, r) {
  if (seat === 0) return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`
  if (seat === 1) return `M${x - r * 0.9} ${y - r * 0.9}h${r * 1.8}v${r * 1.8}h${-r * 1.8}z`
  if (seat === 2) return `M${x} ${y - r * 1.05}L${x + r * 1.1} ${y + r * 0.9}H${x - r * 1.1}z`
  return `M${x} ${y - r * 1.15}L${x + r * 1.15} ${y}L${x} ${y + r * 1.15}L${x - r * 1.15} ${y}z`
}

/**
 * Returns the shape of a seat on a board.
 * @param {number} seat
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {Record<string, any>} [attrs]
 */
export const shape = (seat, x, y, r, attrs) =>
  h('path', { class: `fill-seat-${seat}`, d: shapePath(seat, x, y, r), ...attrs })

/** The shape of a seat, in a line of text. @param {number} seat @param {boolean} [free] */
export const seatShape = (seat, free = false) =>
  h(
    'svg.seat',
    { viewBox: '0 0 20 20', 'aria-hidden': 'true', class: free ? 'seat-free' : `fill-seat-${seat}` },
    h('path', { d: shapePath(seat, 10, 10, 8) }),
  )
