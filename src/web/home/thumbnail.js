// Small pictures of positions. The server draws them; those of private games need the player's token.

import { headers } from '../base/api.js'
import { links } from '../base/route.js'
import { h } from '../base/view.js'
import { language } from '../base/words.js'
import { lid } from './lids.js'

/** @typedef {import('../types.d.ts').Game} Game */

/** Addresses of the loaded pictures, by game and entry. @type {Map<string, string | null>} */
const loaded = new Map()

/** @param {string} name @param {string} path @param {() => void} redraw */
async function load(name, path, redraw) {
  loaded.set(name, null)
  const answer = await fetch(path, { headers: headers('image/svg+xml') }).catch(() => null)
  if (!answer?.ok) return
  loaded.set(name, `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await answer.text())}`)
  redraw()
}

/**
 * Shows the board of a game, or the cover before there is one.
 * @param {Game} game
 * @param {() => void} redraw
 */
export function thumbnail(game, redraw) {
  const { id, seq, status, ruleset } = game
  if (status !== 'running' && status !== 'finished') return lid(ruleset, 'lid thumb')
  const name = `${id}@${seq} ${language()}`
  if (!loaded.has(name)) void load(name, `${links.table(id, seq)}.svg?lang=${language()}`, redraw)
  const address = loaded.get(name)
  return address
    ? h('img.thumb', { key: name, src: address, alt: '', width: '112', height: '112' })
    : lid(ruleset, 'lid thumb')
}
