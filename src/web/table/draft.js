// Moves that are tried before they are played. The server says what would come of them, and nobody else learns of it.

import { isBehind, isPassing, Problem, send } from '../base/api.js'
import { ofDraft, remember, remembered, session, settings } from '../base/store.js'

/** @typedef {{command: any, text: string, stopped: 'chance' | 'others' | null, refused: any}} Step */

/** @param {import('./model.js').Table} table @param {() => void} redraw */
export function openDraft(table, redraw) {
  const draft = {
    /** @type {Step[]} */
    steps: [],
    /** What I would see after them. @type {import('../types.d.ts').Draft | null} */
    seen: null,
    /** Who acted while this was drafted. @type {string | null} */
    meanwhile: null,
    /** Whether what was drafted is gone, since I played on another device. */
    elsewhere: false,
    press,
    undo: () => void retry(draft.steps.slice(0, -1)),
    clear: () => void retry([]),
    send: sendAll,
    /** Whether nothing can follow: what comes next is not mine to know, or another's to decide. */
    isClosed: () => passesOn() || draft.steps.some(({ stopped, refused }) => stopped !== null || refused),
    passesOn,
    follow,
    restore,
    stop: () => {
      asked += 1
      clearTimeout(soon)
    },
    /** Whether what is pressed next is tried first. */
    tries: () => settings().tries && !isOnlyWay(),
  }
  /** Which of the answers is the newest that was asked for. */
  let asked = 0
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let soon
  /** What is being tried; a press meanwhile would build on what is not known yet. @type {Promise<void> | null} */
  let trying = null
  /** Whether commands are on their way, which may be played already. */
  let playing = false

  /** A command was chosen. What is all that can be done is done at once; the rest is tried.
   * @param {any} command @param {string} text */
  async function press(command, text) {
    if (table.sending || trying || draft.isClosed()) return
    keepFocus()
    if (!settings().tries || isOnlyWay(command.type)) {
      return play([...draft.steps.map((step) => step.command), command])
    }
    await retry([...draft.steps, { command, text, stopped: null, refused: null }])
  }

  /** My turn has one way to go on, as it begins with the dice: that can be neither tried nor kept for later.
   * @param {string} [type] whether it is this one */
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

  /** Whether these moves end with another to decide. */
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
        stopped: seen.stopped?.no === at ? seen.stopped.because : null,
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
    // What nobody has judged stays: it is tried again when the server is heard, or by whom it lets in.
    const status = problem instanceof Problem ? problem.status : 0
    if (status === 401) return void (table.problem = problem)
    if (isPassing(status)) {
      soon = setTimeout(() => draft.steps === steps && void retry(steps), 2000)
      return
    }
    const at = problem instanceof Problem ? (problem.no ?? steps.length - 1) : steps.length - 1
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

  /** What happened since: what was drafted is tried on what there is now, or is over. What is being sent may be played
   * already, and waits until that is known. @param {import('../types.d.ts').Happening[]} fresh */
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

  /** What else was written with it comes a moment later, and may be the end.
   * @param {import('../types.d.ts').Happening} [last] what another did */
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

  /** Sends commands; what was drafted is played with them, or is tried again if others acted before. @param {any[]} commands */
  async function play(commands) {
    const before = table.view?.seq
    if (draft.steps.length > 0) keep(true)
    playing = true
    const done = await table.play(commands).finally(() => (playing = false))
    if (done || table.view?.status !== 'running') empty()
    else if (table.view?.seq !== before && draft.steps.length > 0) tryAgain(table.items.findLast(isOthers))
    redraw()
  }

  /** @param {import('../types.d.ts').Happening} item */
  const isOthers = ({ seat }) => seat !== null && seat !== table.me()

  /** Also what I take back myself. @param {import('../types.d.ts').Happening} item */
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

  /** What was drafted outlives this page, in this browser. @param {boolean} [isSent] whether it is on its way */
  function keep(isSent = false) {
    const steps = draft.steps.map(({ command, text }) => ({ command, text }))
    remember(
      ofDraft(table.id),
      steps.length ? { player: session.get()?.player.id, seq: table.view?.seq ?? 0, steps, isSent } : null,
    )
  }

  /** Takes up what was drafted when this page was open last. */
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

/** Who pressed a command reads on at the prompt, where Enter sends, and Tab leads to what can be done next. */
function keepFocus() {
  const was = document.activeElement
  // What only stands in for something that is gone has no use for it.
  const isThere =
    was !== document.body &&
    !was?.matches('[tabindex="-1"]') &&
    !was?.closest('.tray .commands, .tray .offer, .tray .always, .tray .deal, .mat, .board, .draft')
  if (!isThere) document.getElementById('prompt')?.focus({ preventScroll: true })
}

/** @typedef {ReturnType<typeof openDraft>} Drafts */
