// Drafts: moves that are tried before they are played. Only the server and this player know them.

import { isBehind, isPassing, Problem, send } from '../base/api.js'
import { ofDraft, remember, remembered, session, settings } from '../base/store.js'

/** @typedef {{command: any, text: string, stopped: 'chance' | 'others' | null, refused: any}} Step */

/** @param {import('./model.js').Table} table @param {() => void} redraw */
export function openDraft(table, redraw) {
  const draft = {
    /** @type {Step[]} */
    steps: [],
    /** The view after the draft. @type {import('../types.d.ts').Draft | null} */
    seen: null,
    /** Seats that acted while this was drafted. @type {string | null} */
    meanwhile: null,
    /** Whether the draft is gone, because the player moved on another device. */
    elsewhere: false,
    press,
    undo: () => void retry(draft.steps.slice(0, -1)),
    clear: () => void retry([]),
    send: sendAll,
    /** Whether nothing can follow: the next step is unknown or another seat's. */
    isClosed: () => passesOn() || draft.steps.some(({ stopped, refused }) => stopped !== null || refused),
    passesOn,
    follow,
    restore,
    stop: () => {
      asked += 1
      clearTimeout(soon)
    },
    /** Whether the next command is tried first. */
    tries: () => settings().tries && !isOnlyWay(),
  }
  /** Number of the newest request. */
  let asked = 0
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let soon
  /** The running trial. Another press must wait for it. @type {Promise<void> | null} */
  let trying = null
  /** Whether commands are being sent. They may be played already. */
  let playing = false

  /**
   * Handles a chosen command: the only possible one is played at once, others are tried.
   * @param {any} command
   * @param {string} text
   */
  async function press(command, text) {
    if (table.sending || trying || draft.isClosed()) return
    keepFocus()
    if (!settings().tries || isOnlyWay(command.type)) {
      return play([...draft.steps.map((step) => step.command), command])
    }
    await retry([...draft.steps, { command, text, stopped: null, refused: null }])
  }

  /**
   * Returns whether the turn has only one command, such as a roll, which can neither be tried nor drafted.
   * @param {string} [type] whether it is this one
   */
  function isOnlyWay(type) {
    const [only, ...more] = table.view?.legal?.commands ?? []
    return (
      draft.steps.length === 0 &&
      only !== undefined &&
      more.length === 0 &&
      (type === undefined || only.command.type === type) &&
      (table.view?.to_act.includes(table.me() ?? -1) ?? false)
    )
  }

  /** Returns whether another seat decides after these moves. */
  function passesOn() {
    const me = table.me() ?? -1
    return (
      draft.seen !== null &&
      (table.view?.to_act.includes(me) ?? false) &&
      !draft.seen.view.to_act.includes(me)
    )
  }

  /** @param {Step[]} steps */
  function retry(steps) {
    const now = tryOut(steps).finally(() => trying === now && (trying = null))
    trying = now
    return now
  }

  /** @param {Step[]} steps */
  async function tryOut(steps) {
    const no = ++asked
    draft.steps = steps
    draft.elsewhere = false
    table.problem = null
    keep()
    if (steps.length === 0) {
      draft.seen = null
      draft.meanwhile = null
      redraw()
      return
    }
    try {
      const seen = await send('POST', `${table.path}/drafts?words=true`, {
        expected_seq: table.view?.seq ?? 0,
        commands: steps.map(({ command }) => command),
      })
      if (no !== asked) return
      draft.seen = seen
      draft.steps = steps.map((step, at) => ({
        ...step,
        refused: null,
        stopped: seen.stopped?.index === at ? seen.stopped.because : null,
      }))
    } catch (problem) {
      if (no !== asked) return
      await refuse(steps, problem)
    }
    redraw()
  }

  /** @param {Step[]} steps @param {any} problem */
  async function refuse(steps, problem) {
    if (isBehind(problem)) {
      await table.reload().catch(() => null)
      return
    }
    // An unjudged draft stays, and is tried again when the server is reachable or accepts the player.
    const status = problem instanceof Problem ? problem.status : 0
    if (status === 401) return void (table.problem = problem)
    if (isPassing(status)) {
      soon = setTimeout(() => draft.steps === steps && void retry(steps), 2000)
      return
    }
    const at = problem instanceof Problem ? (problem.index ?? steps.length - 1) : steps.length - 1
    const isNew = at === steps.length - 1 && steps.length > 1
    if (isNew) {
      await tryOut(steps.slice(0, -1))
      table.problem = problem
    } else if (steps.length === 1 && !draft.meanwhile) {
      table.problem = problem
      empty()
    } else {
      draft.steps = steps.map((step, no) => (no === at ? { ...step, refused: problem } : step))
      draft.seen = null
    }
  }

  /**
   * Follows new entries: the draft is tried on the new position, or is over. A draft that is being sent may
   * be played already, and waits.
   * @param {import('../types.d.ts').EventItem[]} fresh
   */
  function follow(fresh) {
    if (draft.steps.length === 0 || playing) return
    const me = table.me()
    const mine = fresh.findLast(
      ({ seat, events }) => seat === me && events.some(({ ruleset }) => ruleset !== 'table'),
    )
    if (mine || table.view?.status !== 'running') {
      empty()
      draft.elsewhere = mine?.by === 'player'
    } else if (fresh.some((item) => isOthers(item) || isOfTable(item))) tryAgain(fresh.findLast(isOthers))
  }

  /**
   * Further entries of the same write follow in a moment, possibly the end.
   * @param {import('../types.d.ts').EventItem} [last] what another did
   */
  function tryAgain(last) {
    if (last) draft.meanwhile = table.name(last.seat ?? 0)
    clearTimeout(soon)
    soon = setTimeout(() => draft.steps.length > 0 && !playing && void retry(draft.steps), 100)
    redraw()
  }

  async function sendAll() {
    await trying
    const ready = draft.steps.filter(({ refused }) => !refused)
    if (ready.length === 0 || table.sending) return
    keepFocus()
    await play(ready.map(({ command }) => command))
  }

  /**
   * Plays commands after the draft. If other seats acted before, the draft is tried again.
   * @param {any[]} commands
   */
  async function play(commands) {
    const before = table.view?.seq
    if (draft.steps.length > 0) keep(true)
    playing = true
    const done = await table.play(commands).finally(() => (playing = false))
    if (done || table.view?.status !== 'running') empty()
    else if (table.view?.seq !== before && draft.steps.length > 0) tryAgain(table.items.findLast(isOthers))
    redraw()
  }

  /** @param {import('../types.d.ts').EventItem} item */
  const isOthers = ({ seat }) => seat !== null && seat !== table.me()

  /** Includes own takebacks. @param {import('../types.d.ts').EventItem} item */
  const isOfTable = ({ events }) => events.some(({ ruleset }) => ruleset === 'table')

  function empty() {
    asked += 1
    draft.steps = []
    draft.seen = null
    draft.meanwhile = null
    draft.elsewhere = false
    keep()
    redraw()
  }

  /** Stores the draft, which survives a reload. @param {boolean} [isSent] whether it is on its way */
  function keep(isSent = false) {
    const steps = draft.steps.map(({ command, text }) => ({ command, text }))
    remember(
      ofDraft(table.id),
      steps.length ? { player: session.get()?.player.id, seq: table.view?.seq ?? 0, steps, isSent } : null,
    )
  }

  /** Restores the stored draft. */
  function restore() {
    const was = remembered(ofDraft(table.id))
    if (!was || table.me() === null || was.player !== session.get()?.player.id) return
    draft.steps = was.steps.map((/** @type {Step} */ step) => ({ ...step, stopped: null, refused: null }))
    const fresh = table.items.filter(({ seq }) => seq > was.seq)
    follow(fresh)
    if (was.isSent) draft.elsewhere = false
    if (draft.steps.length > 0 && !fresh.some(isOthers)) void retry(draft.steps)
  }

  return draft
}

/** Moves the focus to the prompt, where Enter sends and Tab leads to the next command. */
function keepFocus() {
  const was = document.activeElement
  // A placeholder does not count as focus.
  const isThere =
    was !== document.body &&
    !was?.matches('[tabindex="-1"]') &&
    !was?.closest('.tray .commands, .tray .offer, .tray .always, .tray .deal, .mat, .board, .draft')
  if (!isThere) document.getElementById('prompt')?.focus({ preventScroll: true })
}

/** @typedef {ReturnType<typeof openDraft>} Drafts */
