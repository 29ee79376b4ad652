// The state of a table in the page: answers of the API, and requests to it.

import { get, isBehind, keep, pause, Problem, send } from '../base/api.js'
import { asking } from '../base/asking.js'
import { look } from '../base/inbox.js'
import { takePlace } from '../base/places.js'
import { keepReceipt } from '../base/receipts.js'
import { reveal } from '../base/reveal.js'
import { isKeyless, sign } from '../base/sign.js'
import { session } from '../base/store.js'
import { listen } from '../base/stream.js'
import { t } from '../base/words.js'

/** @typedef {import('../types.d.ts').Game} Game */
/** @typedef {import('../types.d.ts').View} View */
/** @typedef {import('../types.d.ts').EventItem} EventItem */
/** @typedef {import('../types.d.ts').Catalogue} Catalogue */

/** Events that may change signing keys. */
const OF_KEYS = ['keys_revoked', 'rekeyed', 'seat_handed']

/** @param {string} id @param {() => void} redraw */
export function openTable(id, redraw) {
  const path = `/v1/games/${id}`
  let stopped = false
  let isLooking = false
  let silence = () => {}
  const table = Object.assign(asking(redraw, catchUp), {
    id,
    path,
    /** @type {Game | null} */
    game: null,
    /** @type {Catalogue | null} */
    catalogue: null,
    /** The newest view. @type {View | null} */
    view: null,
    /** All entries so far. @type {EventItem[]} */
    items: [],
    /** Whether the player may not see the table. */
    missing: false,
    /** The newest seen entry. */
    seen: -1,
    /** Whether no key of the player's seat is linked to this browser. */
    isKeyless: false,
    /** Whether the log contradicts the seat that the player took. */
    isFalse: false,
    /** Called with the view of each new entry. */
    onView: (/** @type {View} */ _) => {},
    /** Listeners for new entries. @type {Set<(items: EventItem[]) => void>} */
    listeners: new Set(),

    /** @returns {number | null} */
    me: () => {
      const player = session.get()?.player.id
      const seat = (table.view?.seats ?? table.game?.seats ?? []).find(
        (one) => one.player !== null && one.player.id === player,
      )
      return seat ? seat.seat : null
    },
    /** @param {number} seat */
    player: (seat) => (table.view?.seats ?? table.game?.seats ?? [])[seat]?.player ?? null,
    /** @param {number} seat */
    name: (seat) => {
      const player = table.player(seat)
      return player ? (player.name ?? t('somebody')) : t('nobody')
    },
    /** Returns game, seat and newest entry for a signature. */
    spot: () => ({
      game: id,
      seq: table.view?.seq ?? 0,
      head: table.view?.head ?? '',
      seat: table.me() ?? 0,
    }),
    /** Tries commands. Throws the refusal. @param {number} seq @param {any[]} commands */
    judge: (seq, commands) => send('POST', `${path}/drafts`, { expected_seq: seq, commands }),
    stop: () => {
      stopped = true
      document.removeEventListener('visibilitychange', follow)
      silence()
    },
    act,
    load,
    reload,
    play,
    consent,
    resume,
    /** Returns whether the autopilot plays the player's seat. */
    isAway: () =>
      table.game?.status === 'running' && table.view?.seats[table.me() ?? -1]?.control === 'autopilot',
  })

  /** Loads the table, repeatedly if the server is not reachable. */
  async function load() {
    for (let wait = 500; !stopped; wait = Math.min(2 * wait, 8000)) {
      try {
        await loadOnce()
        table.problem = null
        break
      } catch (problem) {
        table.problem = problem
        table.missing = problem instanceof Problem && problem.status === 404
        redraw()
        if (table.missing) return
        await pause(wait)
      }
    }
    redraw()
  }

  async function loadOnce() {
    const game = await get(path)
    table.game = game
    const [catalogue, view] = await Promise.all([
      keep(`/v1/rulesets/${game.ruleset}/catalogue?version=${game.rules_version}`),
      get(`${path}/view?words=true${mayAct() ? '&with=legal' : ''}`),
      history(),
    ])
    table.catalogue = catalogue
    setView(view)
    table.seen = lastOfMine()
    void reveal(game)
      .then(reload)
      .catch(() => null)
    void lookAtKeys().catch(() => null)
    follow()
  }

  /** Takes a view, unless a newer one has arrived. @param {View} view */
  function setView(view) {
    if (view.seq >= (table.view?.seq ?? -1)) table.view = view
  }

  const mayAct = () => table.me() !== null
  const isOver = () => table.game?.status === 'finished' || table.game?.status === 'void'

  /** Loads all entries, and returns the new ones. */
  async function history() {
    const fresh = []
    for (;;) {
      const after = table.items.at(-1)?.seq ?? -1
      const { items } = await get(`${path}/events?words=true&limit=100&after=${after}`)
      fresh.push(...add(items))
      if (items.length < 100) return fresh
    }
  }

  /** @param {EventItem[]} items */
  function add(items) {
    const last = table.items.at(-1)?.seq ?? -1
    const fresh = items.filter(({ seq }) => seq > last)
    table.items.push(...fresh)
    return fresh
  }

  /** Returns the player's newest own entry. Later entries are news. */
  function lastOfMine() {
    const me = table.me()
    return table.items.findLast(({ seat, by }) => by === 'player' && seat === me)?.seq ?? -1
  }

  /** Follows the game from the newest known entry. */
  function follow() {
    silence()
    if (stopped || isOver() || document.visibilityState === 'hidden') return
    const me = table.me()
    const legal = me === null ? '' : '&with=legal'
    const newest = table.items.at(-1)?.seq ?? 0
    const listening = () =>
      listen(
        `${path}/events?words=true&views=true${legal}`,
        String(newest),
        ({ type, data }) => {
          if (type === 'message') table.listeners.forEach((listener) => listener([]))
          else if (type === 'end') void reload().catch(() => null)
          else hear(data)
          // A player who took or lost a seat gets another stream.
          if (table.me() !== me) follow()
        },
        () => void lookAgain().catch(() => null),
      )
    const looking = () => {
      const every = setInterval(() => void lookAgain().catch(() => null), 4000)
      return () => clearInterval(every)
    }
    silence = takePlace(listening, looking)
  }

  /** Polls, in place of the stream. */
  async function lookAgain() {
    if (isLooking) return
    isLooking = true
    try {
      const fresh = await history()
      if ((table.view?.seq ?? -1) < (table.items.at(-1)?.seq ?? -1)) await reload()
      // Messages are asked for as well.
      table.listeners.forEach((listener) => listener(fresh))
      if (isOver()) follow()
    } finally {
      isLooking = false
    }
  }

  document.addEventListener('visibilitychange', follow)

  /** @param {EventItem} item */
  function hear(item) {
    const { view } = item
    delete item.view
    const fresh = add([item])
    if (view) {
      table.onView(view)
      setView(view)
      redraw()
    }
    if (fresh.length === 0) return
    // Few entries change the table outside the rules, so the game is loaded only then.
    if (item.by === 'server' || item.events.some(({ ruleset }) => ruleset === 'table'))
      void reload().catch(() => null)
    if (item.events.some(({ type }) => OF_KEYS.includes(type))) void lookAtKeys().catch(() => null)
    if (item.seat === table.me() && item.by === 'player') table.seen = item.seq
    table.listeners.forEach((listener) => listener(fresh))
    redraw()
  }

  /** Loads the game and new entries. */
  async function reload() {
    const game = await get(path)
    // Ignore answers that are older.
    if (game.seq >= (table.game?.seq ?? 0)) table.game = game
    if (isOver()) {
      await history()
      setView(await get(`${path}/view?words=true`))
    } else if ((table.view?.seq ?? -1) < (table.game?.seq ?? 0)) {
      setView(await get(`${path}/view?words=true${mayAct() ? '&with=legal' : ''}`))
    }
    redraw()
  }

  /**
   * Sends an act, and keeps its receipt.
   * @param {'POST' | 'PUT' | 'DELETE'} method
   * @param {string} end of the address, behind the table's
   * @param {any} [body]
   */
  async function act(method, end, body) {
    const done = await send(method, `${path}${end}`, body)
    await keepReceipt(id, done?.receipt)
    return done
  }

  /**
   * Sends commands. Their effect is shown at once, also before the stream reports it.
   * @param {any[]} commands
   * @returns {Promise<boolean>}
   */
  async function play(commands) {
    return table.ask(async () => {
      if (table.isAway()) await resume()
      const { spot, signed } = await consent({ type: 'cmd', cmds: commands })
      const one = commands.length === 1 ? { command: commands[0] } : { commands }
      const done = await act('POST', '/commands?words=true&with=legal', {
        expected_seq: spot.seq,
        ...one,
        ...signed,
      })
      setView(done.view)
      void look()
      // The commands are played. Further entries may arrive later.
      await history()
        .then((fresh) => {
          const others = fresh.filter(({ seq, seat }) => seq > done.seq && seat !== table.me())
          if (others.length > 0) table.listeners.forEach((listener) => listener(others))
          return table.items.at(-1)?.by === 'server' ? reload() : null
        })
        .catch(() => null)
      table.seen = Math.max(lastOfMine(), done.seq)
    })
  }

  async function lookAtKeys() {
    const me = table.me()
    const isMine = me !== null && table.game?.status === 'running'
    try {
      table.isKeyless = isMine && (await isKeyless(id, me))
      table.isFalse = false
    } catch (problem) {
      table.isFalse = problem instanceof Problem && problem.code === 'false_log'
    }
    redraw()
  }

  /**
   * Signs an act of the player's seat. A seat whose keys are lost gets this browser's key first.
   * @param {import('../base/sign.js').Act} act
   */
  async function consent(act) {
    if (table.isKeyless) await lookAtKeys()
    if (table.isKeyless) {
      await actThenReload('/rekey', await sign(table.spot(), { type: 'rekey' }))
      await lookAtKeys()
    }
    const spot = table.spot()
    return { spot, signed: await sign(spot, act) }
  }

  /** Takes my seat back from the autopilot. */
  async function resume() {
    const { signed } = await consent({ type: 'resume' })
    await actThenReload('/resumption', signed)
  }

  /** @param {string} end @param {any} body */
  async function actThenReload(end, body) {
    await act('POST', end, body)
    await reload()
  }

  /** @param {any} problem */
  async function catchUp(problem) {
    if (problem instanceof Problem && problem.code === 'invalid_signature')
      await lookAtKeys().catch(() => null)
    if (!isBehind(problem)) return
    await history().catch(() => null)
    await reload().catch(() => null)
  }

  return table
}

/** @typedef {ReturnType<typeof openTable>} Table */
