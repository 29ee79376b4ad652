// The player's commands: columns, cards, bids, accidents. The content changes with the phase, the position
// does not.

import { icon, seatShape } from '../../base/icons.js'
import { links } from '../../base/route.js'
import { h } from '../../base/view.js'
import { t } from '../../base/words.js'
import { nameOf } from '../../home/parts.js'
import { eachOnce } from '../../table/each_once.js'
import { commandButton, commands, isIdle, isLook, moment, once } from '../../table/tray.js'
import { AREAS, cardName, cardOf, cardText, family } from './cards.js'
import { changes } from './changes.js'
import { zoneAfter } from './warnings.js'

/** @typedef {import('../../table/page.js').Parts} Parts */
/** @typedef {import('../../types.d.ts').LegalCommand} LegalCommand */

/** @param {Parts} parts */
export function tray(parts) {
  const { state, legal } = parts
  const loans = legal.filter(isLoan)
  const body =
    state.phase === 'choosing'
      ? offer(parts)
      : state.phase === 'auction'
        ? auction(parts)
        : state.phase === 'accident' || state.phase === 'final_accident'
          ? accident(parts)
          : isLook(parts)
            ? null
            : hand(parts)
  return h(
    'section.tray',
    { id: 'tray', 'aria-labelledby': 'tray-title' },
    isLook(parts) && moment(parts),
    body,
    changes(parts),
    loans.length > 0 && h('div.always', null, h('h3.unseen', null, t('at_any_time')), commands(parts, loans)),
  )
}

/** Commands that are always legal. @param {LegalCommand} one */
const isLoan = ({ command }) => command.type === 'take_loan'

/** @param {Parts} parts @param {import('../../base/view.js').Child} text @param {import('../../base/view.js').Child} [small] */
const title = (parts, text, small) =>
  h(
    isLook(parts) ? 'h3' : 'h2',
    isLook(parts) ? null : { id: 'tray-title', tabindex: '-1' },
    text,
    small && [' ', h('small', null, small)],
  )

/** @param {Parts} parts */
function offer(parts) {
  const { state, legal, catalogue } = parts
  return [
    title(parts, t('offer')),
    h(
      'div.offer',
      { class: `of-${state.offer.length}` },
      state.offer.map((/** @type {string[] | null} */ kinds, /** @type {number} */ column) => {
        if (!kinds) return h('div.gone', { key: `c${column}` }, h('small', null, t('taken')))
        const cards = kinds.map((kind) =>
          h(
            'span.mini',
            { class: family(kind), title: cardText(catalogue, kind) },
            icon(kind),
            h('span', null, cardName(catalogue, kind)),
          ),
        )
        const take = legal.find(
          ({ command }) => command.type === 'choose_combination' && command.column === column,
        )
        const label = h('span.take', null, t('column', { n: column + 1 }))
        return take
          ? columnButton(parts, take, [cards, label])
          : h('div.column', { key: `c${column}` }, h('span.face', null, cards, label))
      }),
    ),
  ]
}

/** @param {Parts} parts @param {LegalCommand} take @param {import('../../base/view.js').Child} face */
function columnButton(parts, take, face) {
  parts.digit += 1
  return h(
    'button.column.command',
    {
      key: `c${/** @type {any} */ (take.command).column}`,
      type: 'button',
      'data-digit': String(parts.digit),
      disabled: isIdle(parts),
      onclick: once(() => void parts.draft.press(take.command, take.text ?? '')),
    },
    h('span.unseen', null, take.text),
    h('span.face', { 'aria-hidden': 'true' }, face),
  )
}

/** @param {Parts} parts */
function hand(parts) {
  const { state, legal, me, catalogue } = parts
  const company = me === null ? null : state.companies[me]
  const cards = /** @type {string[]} */ (company?.cards ?? [])
  const groups = new Map(cards.map((kind) => [kind, /** @type {LegalCommand[]} */ ([])]))
  /** @type {LegalCommand[]} */
  const loose = []
  const moves = legal.filter((one) => !isLoan(one))
  for (const one of moves) {
    const group = groups.get(cardOf(one.command, cards) ?? '')
    if (group) group.push(one)
    else loose.push(one)
  }
  if (!company) return [title(parts, t('your_moves')), h('p.minor', null, t('you_watch'))]
  return [
    title(parts, t('your_cards')),
    cards.length === 0 &&
      h(
        'p.minor',
        null,
        company.saved
          ? t('saved', { card: cardName(catalogue, company.saved) })
          : t(company.out ? 'out_this_round' : 'no_cards'),
      ),
    h(
      'div.hand',
      { class: `of-${cards.length}` },
      [...groups].map(([kind, own]) =>
        h(
          'div.held',
          { key: kind },
          card(parts, kind, own.length > 0),
          h('p.card-text', null, cardText(parts.catalogue, kind)),
          h(
            'div.commands',
            null,
            own
              .filter(({ command }) => command.type !== 'discard' && command.type !== 'innovate')
              .map((one) =>
                commandButton(
                  parts,
                  one,
                  isUseless(one, company)
                    ? { class: 'lesser', comes: t('changes_nothing') }
                    : { comes: zoneAfter(one.command, company) },
                ),
              ),
            innovations(parts, own),
            moves.length > 0 &&
              !own.some(({ command }) => command.type !== 'discard') &&
              whyNot(parts, kind, company),
            own
              .filter(({ command }) => command.type === 'discard')
              .map((one) => commandButton(parts, one, { class: 'lesser', label: t('discard') })),
          ),
        ),
      ),
    ),
    loose.length > 0 && commands(parts, loose),
  ]
}

/** Returns whether a command would only use up the card. @param {LegalCommand} one @param {any} company */
const isUseless = ({ command }, company) =>
  ['dispose_waste', 'remove_waste'].includes(command.type) && company.waste === 0

/** The rule of each card. @type {Record<string, string>} */
const RULES = {
  order: 'IW-7.6',
  raw_materials: 'IW-7.5',
  growth: 'IW-7.7',
  hiring_firing: 'IW-7.8',
  innovation: 'IW-7.9',
  waste_disposal: 'IW-7.10',
  waste_removal: 'IW-7.11',
  advisor: 'IW-7.13',
  bribery: 'IW-7.12',
}

/**
 * Returns why a card can only be discarded, and the rule, as far as the table shows.
 * @param {Parts} parts
 * @param {string} kind
 * @param {any} company
 */
function whyNot({ table }, kind, company) {
  const need = company.needs.raw_materials
  const why =
    kind === 'order' && company.materials < need
      ? t('order_needs', { n: need, has: company.materials })
      : kind === 'advisor'
        ? t('advisor_helps')
        : kind === 'bribery'
          ? t('bribery_later')
          : t('not_playable')
  const rule = RULES[kind]
  return h(
    'p.not-now',
    { key: 'why' },
    why,
    ' ',
    rule && h('a', { href: links.rules(table.game?.ruleset ?? '', rule) }, rule),
  )
}

/**
 * Shows the possible innovations: one area per line, or with an advisor a grid of pairs.
 * @param {Parts} parts
 * @param {LegalCommand[]} own
 */
function innovations(parts, own) {
  const all = own.flatMap((one) =>
    one.command.type === 'innovate' && 'areas' in one.command ? [{ one, areas: one.command.areas }] : [],
  )
  const name = (/** @type {string} */ id) => parts.catalogue?.areas.find((area) => area.id === id)?.name ?? id
  const sign = (/** @type {string} */ id) => icon(AREAS.find(([area]) => area === id)?.[1] ?? 'crate')
  const different = eachOnce(
    all.map(({ one }) => one),
    'areas',
  )
  const [ones, twos] = [1, 2].map((count) =>
    all.filter(({ one, areas }) => areas.length === count && different.includes(one)),
  )
  return [
    ones?.map(({ one, areas: [id = ''] }) =>
      commandButton(parts, one, {
        class: 'area-command',
        label: [sign(id), ' ', h('span.area-name', null, name(id))],
      }),
    ),
    (twos ?? []).length > 0 &&
      h(
        'div.twos',
        { key: 'twos', role: 'group', 'aria-label': t('with_advisor') },
        h('small', { 'aria-hidden': 'true' }, t('with_advisor')),
        twos?.map(({ one, areas }) =>
          commandButton(parts, one, {
            class: 'area-command',
            keyless: true,
            label: [areas.map(sign), ' ', h('span.area-name', null, areas.map(name).join(' + '))],
          }),
        ),
      ),
  ]
}

/** @param {Parts} parts @param {string} kind @param {boolean} can */
const card = (parts, kind, can) =>
  h(
    'div.card',
    { class: `${family(kind)}${can ? '' : ' idle'}`, onclick: can ? toItsCommands : null },
    h('h3.band', null, cardName(parts.catalogue, kind)),
    icon(kind, { class: 'icon big' }),
  )

/** A card presses its only command, or leads to its commands. @param {MouseEvent} event */
function toItsCommands(event) {
  const card = /** @type {HTMLElement} */ (event.currentTarget)
  const buttons = card.parentElement?.querySelectorAll('button.command:enabled:not(.lesser)') ?? []
  const [first] = buttons
  if (!(first instanceof HTMLElement)) return
  if (buttons.length === 1) first.click()
  else first.focus()
}

/** @param {Parts} parts */
function auction(parts) {
  const { state, table, legal } = parts
  const { seller, lot, bids, still_to_bid: still } = state.auction
  const order = [...bids.map((/** @type {any} */ { seat }) => seat), ...still]
  return [
    title(parts, t('auction', { n: lot }), h('bdi', { dir: 'ltr' }, `${t('seller')}: ${table.name(seller)}`)),
    h(
      'div.auction',
      null,
      h(
        'div.lot',
        { 'aria-hidden': 'true' },
        Array.from({ length: lot }, () => icon('crate')),
      ),
      h(
        'table',
        null,
        h(
          'tbody',
          null,
          order.map((/** @type {number} */ seat) => {
            const bid = bids.find((/** @type {any} */ one) => one.seat === seat)
            const said = !bid ? t('to_bid') : bid.amount === null ? t('passed') : String(bid.amount)
            return h(
              'tr',
              { key: String(seat), class: seat === state.to_act ? 'now' : null },
              h(
                'th',
                { scope: 'row' },
                seatShape(seat),
                ' ',
                nameOf(table.player(seat)),
                seat === seller && h('small', null, ` ${t('seller')}`),
              ),
              h('td', null, said),
            )
          }),
        ),
      ),
      commands(
        parts,
        legal.filter((one) => !isLoan(one)),
      ),
    ),
  ]
}

/** @param {Parts} parts */
function accident(parts) {
  const { state, table, legal } = parts
  const settle = state.accident?.to_settle ?? []
  return [
    title(parts, t('accident')),
    h(
      'div.auction',
      null,
      h('div.lot.alarm', { 'aria-hidden': 'true' }, icon('accident')),
      h(
        'table',
        null,
        h(
          'tbody',
          null,
          settle.map((/** @type {number} */ seat, /** @type {number} */ at) =>
            h(
              'tr',
              { key: String(seat), class: at === 0 ? 'now' : null },
              h('th', { scope: 'row' }, seatShape(seat), ' ', nameOf(table.player(seat))),
              h('td', null, t('to_settle')),
            ),
          ),
        ),
      ),
      commands(
        parts,
        legal.filter((one) => !isLoan(one)),
      ),
    ),
  ]
}
