// Plays entries on the board one by one, with their texts in the prompt: those of others as they arrive, those
// since the player's last turn at the start, and on request.

import { pause } from '../base/api.js'
import { icon } from '../base/icons.js'
import { letter } from '../base/keys.js'
import { isSmall } from '../base/screen.js'
import { isStill } from '../base/store.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { isGrave } from './moments.js'
import { gist } from './sentences.js'

/** @typedef {import('../types.d.ts').EventItem} EventItem */

/** Milliseconds of an entry, of a grave one, and of one that was asked for. */
const STEP = 600
const GRAVE = 1800
const SLOW = 1600
/** Time to read a letter: a longer text is shown longer. */
const A_LETTER = 14
/** A step while many entries wait. */
const QUICK = 300
const MANY = 8
/** Most entries that are played without being asked for. */
const MOST = 12

/** @param {import('./model.js').Table} table @param {import('./past.js').Past} past @param {() => void} redraw */
export function openPlayback(table, past, redraw) {
  const playback = {
    /** @type {{no: number, of: number | null, text: string, item: EventItem} | null} */
    now: null,
    held: false,
    start: () => play(news(), SLOW, true),
    follow,
    catchUp,
    stop,
    hold: () => {
      playback.held = !playback.held
      redraw()
    },
  }
  let run = 0
  /** Entries of the current run. @type {EventItem[]} */
  let queue = []
  past.onMove = () => {
    run += 1
    playback.now = null
  }

  /** @param {EventItem} item */
  const isShown = ({ by, events }) => by !== 'server' && events.some(({ ruleset }) => ruleset !== 'table')
  const news = () => table.items.filter((item) => item.seq > table.seen && isShown(item))
  const isQuiet = () => isStill() || document.visibilityState === 'hidden'

  /** Plays entries of others as they arrive. @param {EventItem[]} fresh */
  function follow(fresh) {
    const others = fresh.filter((item) => isShown(item) && !isOwn(item))
    if (others.length === 0 || isQuiet()) return
    if (playback.now) queue.push(...others)
    else if (past.seq === null && past.as === null) void play(others, STEP, false)
  }

  /** Plays what happened since the player's last turn. */
  function catchUp() {
    const missed = news()
    if (table.me() === null || table.seen < 0 || missed.length === 0 || isQuiet()) return
    past.arrive((missed.at(-MOST)?.seq ?? missed[0]?.seq ?? 1) - 1)
    void play(missed.slice(-MOST), STEP, true)
  }

  /** @param {EventItem} item */
  const isOwn = ({ seat, by }) => seat === table.me() && by === 'player'

  /** @param {EventItem[]} entries @param {number} step @param {boolean} isWhole whether no more follow */
  async function play(entries, step, isWhole) {
    if (entries.length === 0) return
    const mine = ++run
    queue = [...entries]
    leadToBoard()
    playback.held = false
    for (let at = 0; at < queue.length; at += 1) {
      const item = /** @type {EventItem} */ (queue[at])
      const now = { no: at + 1, of: isWhole ? entries.length : null, text: gist(item), item }
      playback.now ??= now
      // Loaded first, so that the board moves in one step, together with the text.
      if (!past.has(item.seq)) await past.at(item.seq)
      if (run !== mine) return
      playback.now = now
      past.arrive(item.seq)
      const isQuick = queue.length - at > MANY
      const read = Math.min(GRAVE, now.text.length * A_LETTER)
      const least = isGrave(item, table) ? GRAVE : isQuick ? QUICK : step
      const time = isQuick ? least : Math.max(least, read)
      for (let waited = 0; waited < time || playback.held; waited += 50) {
        await pause(50)
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

/** On a small screen the board may be out of sight. */
function leadToBoard() {
  if (isSmall()) document.getElementById('board')?.scrollIntoView({ block: 'start' })
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
    h('span', null, t(held ? 'play_further' : 'hold')),
  )

/** @param {Playback} playback */
export const skipButton = ({ stop }) =>
  h('button', { type: 'button', onclick: stop }, icon('last'), h('span', null, t('skip_playback')))
