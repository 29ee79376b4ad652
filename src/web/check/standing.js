// Where each entry may stand, as far as the log alone tells: who sits where, in whose hands a seat is, and what must follow.

/** @typedef {import('./document.js').Format} Format */
/** Who sits on a seat, and what the log says of the seat since.
 * @typedef {{player: string, keys: string[], bot: string | null, promise: string | null, revealed: string | null, isShare: boolean,
 *   control: 'player' | 'autopilot' | 'resigned', timeouts: number, left: number, plansAfter: number, others: number}} Sitting */
/** What must be the next entry. @typedef {{autopilot: number} | {reason: string, result: any}} Due */

export const MOST_OTHERS = 8
const MOST_TIMEOUTS = 3
const LONG_LEFT = 4

/** @param {any} genesis @param {Format} format */
export function openStanding(genesis, format) {
  const isOne = format === 'fairlog/1'
  const terms = { clock: genesis.clock ?? null, takebacks: genesis.takebacks ?? false, substitutes: genesis.substitutes ?? false }
  const standing = {
    /** @type {'open' | 'sealed' | 'running' | 'finished' | 'void'} */
    status: 'open',
    /** @type {(Sitting | null)[]} */
    seats: Array(genesis.seats).fill(null),
    take,
    /** Whether its player has been away for so long that another may take the seat. @param {Sitting} sitting */
    isLongLeft: (sitting) => sitting.control === 'autopilot' && sitting.left >= LONG_LEFT,
  }
  /** @type {Set<string>} */
  const promises = new Set()
  /** @type {number[]} */
  let resigned = []
  /** @type {Due | null} */
  let due = null

  /** Takes an entry in where it may stand; else says why it may not. @param {any} body @param {number} seq @returns {string | null} */
  function take(body, seq) {
    const refused = (isOne ? null : dueRefuses(body) ?? termsRefuse(body) ?? otherRefuses(body)) ?? place(body)
    if (refused || isOne) return refused
    const hands = handOver(body)
    if (hands) return hands
    note(body, seq)
    return null
  }

  /** @param {any} body */
  function dueRefuses(body) {
    const isEnd = body.type === 'end'
    const isAutopilot = body.type === 'sys' && body.op === 'autopilot'
    if (!due) {
      if (isAutopilot) return 'no seat goes to the autopilot here'
      return isEnd && (body.reason === 'resigned' || body.reason === 'abandoned') ? 'nothing ends the game in this way here' : null
    }
    if ('autopilot' in due) {
      const is = (isAutopilot && body.seat === due.autopilot) || (isEnd && body.reason === 'finished')
      return is ? null : `seat ${due.autopilot} must go to the autopilot here`
    }
    const is = isEnd && body.reason === due.reason && JSON.stringify(body.result) === JSON.stringify(due.result)
    return is ? null : 'the game must end here, and otherwise'
  }

  /** @param {any} body */
  function termsRefuse(body) {
    if (standing.status !== 'running') return null
    if (body.type === 'takeback' && !terms.takebacks) return 'this table was opened without takebacks'
    if (body.type === 'hand' && !terms.substitutes) return 'this table was opened without substitutes'
    const needsClock = (body.type === 'sys' && ['pause', 'continue', 'autopilot'].includes(body.op))
      || (body.type === 'cmd' && body.by === 'autopilot' && standing.seats[body.seat]?.control === 'player')
    return needsClock && !terms.clock ? 'this table was opened without a clock' : null
  }

  /** @param {any} body */
  function otherRefuses(body) {
    if (body.type === 'join' && body.commit && promises.has(body.commit)) return 'a promise stands in this game a second time'
    if (body.type === 'keys' && standing.seats[body.seat]?.bot) return `seat ${body.seat} is a bot’s, which has no keys`
    const isOther = ['keys', 'hand', 'takeback', 'sys'].includes(body.type)
    return isOther && (standing.seats[body.seat]?.others ?? 0) >= MOST_OTHERS ? `seat ${body.seat} has ${MOST_OTHERS} entries without a command of the game between them` : null
  }

  /** As far as seats and status go. @param {any} body @returns {string | null} */
  function place(body) {
    const { type, seat } = body
    const { status } = standing
    const isTaken = seat === undefined || (seat < standing.seats.length && standing.seats[seat] !== null)
    if (type === 'join' && status === 'open') {
      if (seat >= standing.seats.length || isTaken) return `seat ${seat} is not free at this table`
      if (body.commit) promises.add(body.commit)
      standing.seats[seat] = sitting(body, body.commit)
      return null
    }
    const known = {
      leave: 'open', seal: 'open', reveal: 'sealed', start: 'sealed', cmd: 'running', sys: 'running', keys: 'running', hand: 'running', takeback: 'running',
    }[/** @type {string} */ (type)]
    const ends = type === 'end' && (body.reason === 'void' ? (status === 'open' || status === 'sealed') && body.result === null : status === 'running')
    if (known !== status && !ends) return `an entry of the type \`${type}\` may not stand here`
    if (!isTaken) return `seat ${seat} is not taken at this table`
    if (type === 'leave') standing.seats[seat] = null
    if (type === 'seal') {
      if (standing.seats.includes(null)) return 'the table is sealed before it is full'
      standing.status = 'sealed'
    }
    if (type === 'reveal') {
      const there = /** @type {Sitting} */ (standing.seats[seat])
      if (there.revealed !== null) return `seat ${seat} reveals a second time`
      there.revealed = body.entropy
      // Those of a machine are the server's own, whoever has the seat later.
      there.isShare = there.bot === null
    }
    if (type === 'start') standing.status = 'running'
    if (type === 'end') standing.status = body.reason === 'void' ? 'void' : 'finished'
    return null
  }

  /** @param {any} body @param {string | null} promise @returns {Sitting} */
  const sitting = (body, promise) => ({
    player: body.player, keys: body.keys ?? [], bot: body.bot ?? null, promise, revealed: null, isShare: false, control: 'player', timeouts: 0, left: 0, plansAfter: 0, others: 0,
  })

  /** In whose hands the seat is, and into whose it comes. @param {any} body @returns {string | null} */
  function handOver(body) {
    const there = body.seat === undefined ? null : standing.seats[body.seat]
    if (!there || (body.type === 'cmd' && body.by === 'autopilot') || !['cmd', 'takeback', 'sys', 'keys', 'hand'].includes(body.type)) return null
    if (body.type === 'hand') {
      standing.seats[body.seat] = { ...sitting(body, there.promise), revealed: there.revealed, isShare: there.isShare, others: there.others }
      resigned = resigned.filter((seat) => seat !== body.seat)
      return null
    }
    const op = body.type === 'sys' ? body.op : null
    const isPlayersOnly = body.type === 'cmd' || body.type === 'takeback' || op === 'pause' || op === 'autopilot'
    if (there.control === 'resigned') return `seat ${body.seat} has resigned`
    if (there.control === 'autopilot' && isPlayersOnly) return `seat ${body.seat} is the autopilot's until it resumes`
    if (there.control === 'player' && op === 'resume') return `seat ${body.seat} is its player's already`
    if (op === 'resume') Object.assign(there, { control: 'player', timeouts: 0, left: 0 })
    if (op === 'autopilot') Object.assign(there, { control: 'autopilot', left: 0 })
    if (op === 'resign') {
      there.control = 'resigned'
      resigned.push(body.seat)
    }
    if (op === 'unkey') there.keys = []
    if (body.type === 'keys') there.keys = body.keys
    return null
  }

  /** Counts what an entry says of who decides, and notes what must follow it. @param {any} body @param {number} seq */
  function note(body, seq) {
    due = null
    const there = () => standing.seats[body.seat] ?? null
    const op = body.type === 'sys' ? body.op : null
    if (body.type === 'cmd') noteCommand(body)
    const now = there()
    if (now && (body.type === 'keys' || body.type === 'hand' || op === 'unkey' || op === 'resume')) now.plansAfter = seq
    if (now && body.type === 'takeback') Object.assign(now, { timeouts: 0, left: 0 })
    if (op === 'resign' || op === 'autopilot') due = endOfPlay(op)
    if (now && body.type !== 'cmd' && standing.status === 'running') now.others += 1
  }

  /** @param {any} body */
  function noteCommand(body) {
    standing.seats.forEach((one) => one && (one.others = 0))
    const there = /** @type {Sitting} */ (standing.seats[body.seat])
    if (body.by === 'player') Object.assign(there, { timeouts: 0, left: 0 })
    if (body.by === 'plan') there.timeouts = 0
    if (body.by === 'autopilot') {
      there.timeouts += 1
      there.left += 1
      if (there.control === 'player' && there.timeouts >= MOST_TIMEOUTS) due = { autopilot: body.seat }
    }
  }

  /** How a game ends that has lost a player, if it does. @param {string} op @returns {Due | null} */
  function endOfPlay(op) {
    const taken = standing.seats.flatMap((one, seat) => (one ? [{ seat, ...one }] : []))
    const staying = taken.filter(({ control }) => control !== 'resigned')
    if (op === 'resign' && staying.length === 1) {
      const order = [staying[0]?.seat ?? 0, ...[...resigned].reverse()]
      return { reason: 'resigned', result: order.map((seat, at) => ({ place: at + 1, seat })) }
    }
    const persons = taken.filter(({ bot }) => bot === null)
    return persons.length > 0 && !persons.some(({ control }) => control === 'player') ? { reason: 'abandoned', result: null } : null
  }

  return standing
}

/** @typedef {ReturnType<typeof openStanding>} Standing */
