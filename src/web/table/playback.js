// What happened since my last turn, played back: an entry a step, with its words in the prompt.

import { pause } from '../base/api.js'
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
