// Plays back the entries since the player's last turn, one by one, with texts in the prompt.

import { pause } from '../base/api.js'
import { icon } from '../base/icons.js'
import { letter } from '../base/keys.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { gist } from './sentences.js'

const STEP = 1600

/** @param {import('./model.js').Table} table @param {import('./past.js').Past} past @param {() => void} redraw */
export function openPlayback(table, past, redraw) {
  const playback = {
    /** @type {{no: number, of: number, text: string} | null} */
    now: null,
    held: false,
    start,
    stop,
    hold: () => {
      playback.held = !playback.held
      redraw()
    },
  }
  let run = 0
  past.onMove = () => {
    run += 1
    playback.now = null
  }

  async function start() {
    const entries = table.items.filter(({ seq }) => seq > table.seen)
    if (entries.length === 0) return
    const mine = ++run
    playback.held = false
    for (const [at, item] of entries.entries()) {
      playback.now = { no: at + 1, of: entries.length, text: gist(item) }
      past.arrive(item.seq)
      for (let waited = 0; waited < STEP || playback.held; waited += 100) {
        await pause(100)
        if (run !== mine) return
      }
    }
    stop()
  }

  function stop() {
    if (!playback.now) return
    run += 1
    playback.now = null
    past.arrive(null)
  }

  return playback
}

/** @typedef {ReturnType<typeof openPlayback>} Playback */

/** Begins, pauses and continues. @param {Playback} playback */
export const playButton = (playback) =>
  playback.now
    ? holdButton(playback)
    : h(
        'button.quiet',
        { type: 'button', onclick: () => void playback.start() },
        icon('forward'),
        t('play_back'),
        letter('R'),
      )

/** @param {Playback} playback */
export const holdButton = ({ held, hold }) =>
  h(
    'button.quiet',
    { type: 'button', onclick: hold },
    icon(held ? 'forward' : 'pause'),
    t(held ? 'play_further' : 'hold'),
  )
