// Trades: put together piece by piece, with the server's refusal at once.

import { icon, seatShape } from '../../base/icons.js'
import { links } from '../../base/route.js'
import { h } from '../../base/view.js'
import { list, signed, t } from '../../base/words.js'
import { nameOf, stepper } from '../../home/parts.js'
import { balanceAfter } from './account.js'

/** @typedef {import('../../table/page.js').Parts} Parts */
/** @typedef {{territories?: string[], euros?: number, credits?: number, actions?: string[]}} Side */

/** @param {Side} side */
const whole = (side) => ({
  territories: side.territories ?? [],
  euros: side.euros ?? 0,
  credits: side.credits ?? 0,
  actions: side.actions ?? [],
})

/** @param {string} id @param {string[]} all */
const toggled = (id, all = []) => (all.includes(id) ? all.filter((other) => other !== id) : [...all, id])

/**
 * Makes a territory on the ring a button that adds it to the trade or removes it.
 * @param {Parts} parts
 * @param {any} trade
 * @param {string} id
 * @param {number | null} owner
 */
export function inTrade(parts, trade, id, owner) {
  const which =
    owner === null || !trade ? null : owner === parts.me ? 'give' : owner === trade.to ? 'take' : null
  if (!which) return null
  /** @type {Side} */
  const side = trade[which]
  return {
    isIn: side.territories?.includes(id) ?? false,
    press: () => {
      side.territories = toggled(id, side.territories)
      parts.redraw()
    },
  }
}

/** Returns whether an offer can be answered with another one now. @param {Parts} parts */
export const isCounter = ({ freeForm }) => freeForm.includes('counter_trade')

/** Returns whether offers are legal now. @param {Parts} parts */
export const isTrading = (parts) => isCounter(parts) || parts.freeForm.includes('propose_trade')

/** Returns the possible partners. @param {Parts} parts @returns {any[]} */
const partners = ({ state, me }) =>
  state.seats.filter((/** @type {any} */ { seat, eliminated }) => seat !== me && !eliminated)

/** Returns a trade to begin with: the open offer, or none with the creditor or the next seat. @param {Parts} parts */
export function newTrade(parts) {
  const { debt, trade } = parts.state
  if (isCounter(parts)) {
    const { from, give, take, settles_debt: settles } = structuredClone(trade)
    return { to: from, give: take, take: give, settles }
  }
  return { to: debt?.to ?? partners(parts)[0]?.seat, give: {}, take: {}, settles: false }
}

/** @param {Parts} parts */
export const tradeTitle = (parts) =>
  isCounter(parts)
    ? t('counter_trade').replace(' …', '')
    : [
        t('offer_trade').replace(' …', ''),
        ' ',
        h('small', null, t('offers_left', { n: parts.state.offers_left })),
      ]

/** Returns the command that makes the offer. @param {Parts} parts @param {any} trade */
function commandOf(parts, { to, give, take, settles }) {
  const sides = { give: whole(give), take: whole(take) }
  return isCounter(parts)
    ? { type: 'counter_trade', ...sides }
    : { type: 'propose_trade', to, ...sides, settles_debt: settles }
}

/** @param {Parts} parts */
export function tradeBuilder(parts) {
  const { state, table, me, ui, redraw } = parts
  const trade = ui.game.trade
  const command = commandOf(parts, trade)
  const isEmpty = (/** @type {Side} */ side) => JSON.stringify(whole(side)) === JSON.stringify(whole({}))
  // An incomplete trade is not sent to the server.
  const isHalf = !trade.settles && (isEmpty(trade.give) || isEmpty(trade.take))
  if (!isHalf) void judge(parts, command)
  const set = (/** @type {() => void} */ change) => () => {
    change()
    redraw()
  }
  const isJudged = !isHalf && trade.judged === JSON.stringify(command)
  const ok = isJudged && trade.said === null
  const press = () => {
    trade.offeredAt = table.spot().seq
    void parts.draft.press(command, `${t('offer_it')}: ${table.name(trade.to)}`)
  }
  return h(
    'div.deal',
    null,
    h(
      'label',
      null,
      t('trade_with'),
      ' ',
      h(
        'select',
        {
          value: String(trade.to),
          disabled: isCounter(parts),
          onchange: (/** @type {any} */ event) =>
            set(() => {
              trade.to = Number(event.target.value)
              trade.take = {}
              trade.settles = false
            })(),
        },
        partners(parts).map(({ seat }) => h('option', { value: String(seat) }, table.name(seat))),
      ),
    ),
    sideOf(parts, 'give', me ?? 0, t('you_give')),
    sideOf(parts, 'take', trade.to, t('you_take')),
    !isCounter(parts) &&
      state.debt?.seat === me &&
      state.debt?.to === trade.to &&
      h(
        'label.tick',
        null,
        h('input', {
          type: 'checkbox',
          checked: trade.settles,
          onchange: (/** @type {any} */ event) => set(() => (trade.settles = event.target.checked))(),
        }),
        t('settles_debt', { name: table.name(trade.to) }),
      ),
    h(
      'ul.verdict',
      { role: 'status' },
      isHalf
        ? broken({ detail: t('trade_empty'), rule: 'CO-8.2' })
        : isJudged
          ? verdict(trade.said)
          : h('li', { key: 'wait' }, t('one_moment')),
      balances(parts),
    ),
    h(
      'div.buttons',
      null,
      h('button.quiet', { type: 'button', 'data-escape': '', onclick: () => closeTrade(parts) }, t('cancel')),
      h('button.main', { type: 'button', disabled: !ok, onclick: press }, t('offer_it')),
    ),
  )
}

/** Closes the trade, and returns the focus to its button. @param {Parts} parts */
function closeTrade({ ui, redraw }) {
  ui.game.trade = null
  redraw()
  setTimeout(() => /** @type {HTMLElement | null} */ (document.querySelector('.trade-button'))?.focus())
}

/**
 * Returns the open trade. It is restored when a drafted offer is undone, and closed when an offer was made.
 * @param {Parts} parts
 */
export function composed(parts) {
  const { ui, table, draft, me } = parts
  /** @type {any} */
  const drafted = draft.steps
    .map(({ command }) => command)
    .find(({ type }) => type === 'propose_trade' || type === 'counter_trade')
  const isDrafted = drafted !== undefined
  const { seq } = table.spot()
  if (isDrafted && !ui.game.trade) {
    const open = /** @type {any} */ (table.view?.state)?.trade
    const { give, take, to = open?.from, settles_debt: settles = open?.settles_debt } = drafted
    ui.game.trade = { to, give: { ...give }, take: { ...take }, settles, offeredAt: seq }
  }
  const { trade } = ui.game
  if (trade) {
    const isMyTurn = me !== null && Boolean(table.view?.to_act.includes(me))
    const isUndone = trade.isDrafted && !isDrafted && !table.sending && trade.offeredAt === seq
    if (isDrafted && isMyTurn) Object.assign(trade, { offeredAt: seq, isDrafted })
    else if (isUndone && isMyTurn) Object.assign(trade, { offeredAt: undefined, isDrafted })
    else if (trade.offeredAt < seq) ui.game.trade = null
  }
  return isDrafted || !isTrading(parts) ? null : (ui.game.trade ?? null)
}

/**
 * Shows each mistake of the trade, or that there is none.
 * @param {import('../../base/api.js').Problem | null} said
 */
function verdict(said) {
  if (!said) return h('li.well', { key: 'well' }, icon('tick'), h('span', null, t('trade_ok')))
  return said.errors.length > 0 ? said.errors.map(broken) : broken({ detail: said.message, rule: said.rule })
}

/** @param {{detail: string, rule?: string | undefined}} mistake */
const broken = ({ detail, rule }) =>
  h(
    'li.wrong',
    { key: detail },
    icon('cross'),
    h('span', null, detail, ' ', rule && h('a', { href: links.rules('ecopolis', rule) }, rule)),
  )

/** Shows the effect on both balances. @param {Parts} parts */
function balances({ ui, state, catalogue, me, table }) {
  const { to, give, take } = ui.game.trade
  const after = (/** @type {number} */ seat, /** @type {Side} */ gets, /** @type {Side} */ gives) =>
    signed(balanceAfter(state, catalogue, seat, gets.territories ?? [], gives.territories ?? []))
  return h(
    'li.minor',
    { key: 'after' },
    icon('trade'),
    h(
      'bdi',
      { dir: 'ltr' },
      t('trade_after', {
        mine: after(me ?? 0, take, give),
        name: table.name(to),
        theirs: after(to, give, take),
      }),
    ),
  )
}

/** Asks the server for a refusal, once per version of the trade. @param {Parts} parts @param {any} command */
async function judge(parts, command) {
  const { table, ui, redraw } = parts
  const { trade } = ui.game
  const spot = table.spot()
  const commands = [...parts.draft.steps.map((step) => step.command), command]
  const name = `${spot.seq} ${JSON.stringify(commands)}`
  if (trade.asked === name) return
  trade.asked = name
  /** @type {any} */
  let said = null
  try {
    await table.judge(spot.seq, commands)
  } catch (problem) {
    said = problem
  }
  if (trade.asked !== name) return
  trade.said = said
  trade.judged = JSON.stringify(command)
  // Ask again after a missing or late answer.
  if (said && [0, 409, 429, 503].includes(said.status))
    setTimeout(() => {
      trade.asked = null
      redraw()
    }, 1000)
  redraw()
}

/** @param {Parts} parts @param {'give' | 'take'} which @param {number} seat @param {string} legend */
function sideOf(parts, which, seat, legend) {
  const { state, catalogue, ui, table, redraw } = parts
  /** @type {Side} */
  const side = ui.game.trade[which]
  const has = state.seats[seat]
  const own = state.territories.filter((/** @type {any} */ { owner }) => owner === seat)
  const put = (/** @type {Side} */ some) => {
    Object.assign(side, some)
    redraw()
  }
  const actions = side.actions ?? []
  // Each card of the own hand, and one of each kind that the other may have.
  const cards = /** @type {string[]} */ (has.hand ?? (catalogue?.cards ?? []).map(({ id }) => id))
  const isIn = (/** @type {string} */ kind, /** @type {number} */ at) =>
    cards.slice(0, at).filter((one) => one === kind).length < actions.filter((one) => one === kind).length
  return h(
    'fieldset.side-of-deal',
    null,
    h('legend', null, legend, ' ', seatShape(seat), ' ', nameOf(table.player(seat))),
    h(
      'div.ticks',
      null,
      own.map((/** @type {any} */ { id, resting }) =>
        h(
          'label.tick',
          { key: id },
          h('input', {
            type: 'checkbox',
            checked: side.territories?.includes(id) ?? false,
            onchange: () => put({ territories: toggled(id, side.territories) }),
          }),
          catalogue?.territories.find((one) => one.id === id)?.name ?? id,
          resting && h('small', null, ` (${t('resting')})`),
        ),
      ),
    ),
    h(
      'div.nums',
      null,
      stepper({
        label: t('euros'),
        value: side.euros ?? 0,
        min: 0,
        max: has.euros,
        step: 100,
        id: `${which}-euros`,
        change: (euros) => put({ euros }),
      }),
      stepper({
        label: t('credits'),
        value: side.credits ?? 0,
        min: 0,
        max: has.credits,
        id: `${which}-credits`,
        change: (credits) => put({ credits }),
      }),
    ),
    h(
      'div.chips',
      { role: 'group', 'aria-label': `${legend}: ${t('cards')}` },
      cards.map((kind, at) =>
        h(
          'button.chip',
          {
            type: 'button',
            key: kind + at,
            title: cardName(parts, kind),
            'aria-label': cardName(parts, kind),
            'aria-pressed': String(isIn(kind, at)),
            onclick: () =>
              put({
                actions: isIn(kind, at)
                  ? actions.toSpliced(actions.indexOf(kind), 1)
                  : [...actions, kind].sort(inOrder(parts)),
              }),
          },
          icon(kind),
          h('span', { 'aria-hidden': 'true' }, cardName(parts, kind)),
        ),
      ),
    ),
  )
}

/** @param {Parts} parts */
const inOrder =
  ({ catalogue }) =>
  (/** @type {string} */ a, /** @type {string} */ b) => {
    const order = (catalogue?.cards ?? []).map(({ id }) => id)
    return order.indexOf(a) - order.indexOf(b)
  }

/** @param {Parts} parts @param {string} kind */
const cardName = ({ catalogue }, kind) => catalogue?.cards.find(({ id }) => id === kind)?.name ?? kind

/** Shows an open offer. @param {Parts} parts */
export function offerShown(parts) {
  const { state, table, catalogue } = parts
  const { from, to, give, take, counter } = state.trade
  const said = (/** @type {any} */ side) => [
    ...side.territories.map(
      (/** @type {string} */ id) => catalogue?.territories.find((one) => one.id === id)?.name ?? id,
    ),
    ...(side.euros ? [t('n_euros', { n: side.euros })] : []),
    ...(side.credits ? [t('n_credits', { n: side.credits })] : []),
    ...side.actions.map((/** @type {string} */ kind) => cardName(parts, kind)),
  ]
  /** @param {number} seat @param {any} side @param {any} other */
  const column = (seat, side, other) =>
    h(
      'div',
      { key: String(seat) },
      h('h3', null, seatShape(seat), ' ', h('bdi', { dir: 'ltr' }, t('gives', { name: table.name(seat) }))),
      h('p', null, said(side).length ? list(said(side)) : '–'),
      h(
        'small',
        null,
        `${t('balance')}: ${signed(state.seats[seat].balance)} → ${signed(balanceAfter(state, catalogue, seat, other.territories, side.territories))}`,
      ),
    )
  return h(
    'div.offer-shown',
    null,
    counter && h('p.minor', null, t('counter_shown', { name: table.name(from) })),
    column(from, give, take),
    column(to, take, give),
  )
}
