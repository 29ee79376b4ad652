// The lids of the boxes.

import { h } from '../base/view.js'

/** @param {string} ruleset @param {string} [kind] */
export function lid(ruleset, kind = 'lid') {
  const drawing = ruleset === 'industrial-waste' ? factory() : ruleset === 'ecopolis' ? province() : plain()
  return h(
    'svg',
    { class: kind, viewBox: '0 0 160 100', 'aria-hidden': 'true', preserveAspectRatio: 'xMidYMid slice' },
    drawing,
  )
}

const factory = () => [
  h('path', { d: 'M0 0h160v100H0z', fill: '#dcd7c6' }),
  h('circle', { cx: 123, cy: 33, r: 17, fill: '#f5bf21' }),
  h('path', {
    d: 'M0 60l17 9V60l17 9V60l17 9V35h9v49H0zM100 68l12 6v-6l12 6v-6l12 6v-7h4V48h7v36h-47z',
    fill: '#8795a1',
  }),
  h('path', {
    d: 'M58 30a6 6 0 1 1 6-8a8 8 0 1 1 12-9 9 9 0 1 1 6 15c-9 3-12-1-14-1s-4 3-10 3z',
    fill: '#8b8f8c',
    opacity: 0.55,
  }),
  h('path', { d: 'M30 66l20 11V66l20 11V66l20 11V43h11v46H30z', fill: '#2b343c' }),
  h('path', { d: 'M0 88h160v12H0z', fill: '#1d2125' }),
  h('path', { d: 'M0 90h160v4H0z', fill: '#f5bf21' }),
]

const province = () => [
  h('path', { d: 'M0 0h160v100H0z', fill: '#e7e2c9' }),
  h('path', { d: 'M0 60l30-30 20 18 25-28 30 33 23-19 32 26v40H0z', fill: '#9db7b4' }),
  h('path', { d: 'M0 71c40-22 62-4 82 3s50-6 78-15v41H0z', fill: '#8fae7b' }),
  h('path', { d: 'M0 85c50-18 70 0 105-2s40-5 55-9v26H0z', fill: '#d9c76c' }),
  h('path', { d: 'M84 70c-8 6 12 8 8 14s-26 8-24 17', fill: 'none', stroke: '#3f7fa6', 'stroke-width': 5 }),
  h('path', { d: 'M102 64h11v14h-11zM116 46l4.500-16 5 16v32H116zM128 67h13v11h-13z', fill: '#a8472b' }),
  h('path', {
    d: 'M6 93l30-8M10 98l34-9M126 98l32-8M130 91l26-6',
    fill: 'none',
    stroke: '#a48b2e',
    'stroke-width': 2,
  }),
]

const plain = () => [
  h('path', { d: 'M0 0h160v100H0z', fill: '#44576a' }),
  h('path', {
    d: 'M50 20h60v60H50zM50 40h60M50 60h60M70 20v60',
    fill: 'none',
    stroke: '#f8f5ec',
    'stroke-width': 4,
  }),
]
