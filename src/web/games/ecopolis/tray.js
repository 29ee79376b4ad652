// The player's hand and commands.

import { icon } from '../../base/icons.js'
import { letter } from '../../base/keys.js'
import { h } from '../../base/view.js'
import { t } from '../../base/words.js'
import { commandButton, isLook, moment } from '../../table/tray.js'
import { balanceTo } from './account.js'
import { changes } from './changes.js'
import { isPayment, payments } from './debts.js'
import { hand, swapper } from './hand.js'
import { composed, isCounter, isTrading, newTrade, offerShown, tradeBuilder, tradeTitle } from './trade.js'

/** @typedef {import('../../table/page.js').Parts} Parts */

/** @param {Parts} parts */
export function tray(parts) {
  const { state, legal, me, ui, redraw, past } = parts
  const trades = isTrading(parts)
  const last = legal.filter(({ command }) => command.type === 'declare_bankruptcy')
  const others = legal.filter(
    (one) =>
      one.command.type !== 'exchange_actions' &&
      one.command.type !== 'declare_bankruptcy' &&
      !isPayment(parts, one),
  )
  const open = () => {
    ui.game.trade = ui.game.trade ? null : newTrade(parts)
    redraw()
    // Moves the focus to the open trade.
    setTimeout(() => document.getElementById('tray-title')?.focus())
  }
  const isComposed = composed(parts) !== null
  return h(
    'section.tray',
    { id: 'tray', 'aria-labelledby': 'tray-title' },
    isLook(parts)
      ? moment(parts)
      : h(
          'h2',
          { id: 'tray-title', tabindex: '-1' },
          isComposed ? tradeTitle(parts) : me === null ? t('your_moves') : t('hand'),
        ),
    // An open trade is next to the cards, and marks those that may be given.
    isComposed
      ? null
      : me !== null || past.as !== null
        ? hand(parts)
        : !isLook(parts) && h('p.minor', null, t('you_watch')),
    state.trade && offerShown(parts),
    eventText(parts),
    isComposed
      ? tradeBuilder(parts)
      : [
          payments(parts),
          h(
            'div.commands',
            null,
            others.map((one) => commandButton(parts, one, { comes: balanceTo(parts, one.command) })),
          ),
          swapper(parts),
          trades &&
            h(
              'button.trade-button',
              { type: 'button', 'data-letter': 't', onclick: open },
              icon('trade'),
              isCounter(parts)
                ? h('span', null, t('counter_trade'), h('small', null, t('counter_help')))
                : h(
                    'span',
                    null,
                    t('offer_trade'),
                    h('small', null, t('offers_left', { n: state.offers_left })),
                  ),
              letter('T'),
            ),
          last.length > 0 &&
            h(
              'div.commands.always',
              null,
              last.map((one) => commandButton(parts, one)),
            ),
        ],
    changes(parts),
  )
}

/** Returns the text of this turn's event. @param {Parts} parts */
function eventText({ state, catalogue }) {
  const event = catalogue?.events.find(({ id }) => id === state.event)
  return event
    ? h('p.event-text', { key: 'event' }, h('strong', null, event.name, ':'), ' ', event.text)
    : null
}
