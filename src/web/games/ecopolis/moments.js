// Moments of the game: rents, events, VIA, debts, finished territories, players who are out.

import { number, signed, t } from '../../base/words.js'

/** @param {number} euros @param {number} credits */
const sum = (euros, credits) =>
  [
    ...(euros ? [t('n_euros', { n: number(euros) })] : []),
    ...(credits ? [t('n_credits', { n: credits })] : []),
  ].join(' + ')

/** @param {any} event @param {number | null} me @returns {import('../../table/moments.js').Moment | null} */
export function moment(event, me) {
  const isMine = me !== null && event.seat === me
  const seats = typeof event.seat === 'number' ? [event.seat] : []
  switch (event.type) {
    case 'rent_due':
      return {
        sign: 'coin',
        mood: 'bad',
        seats: [event.seat, event.owner],
        felt: isMine ? t('felt_rent', { euros: number(event.euros) }) : null,
      }
    case 'paid':
      return {
        sign: 'coin',
        seats: event.to === null ? seats : [event.seat, event.to],
        felt: paid(event, me),
      }
    case 'event_drawn':
      return { sign: 'star', grave: true, seats, felt: isMine ? event.text : null }
    case 'balance_settled':
      return {
        sign: 'cloud',
        mood: event.balance < 0 ? 'bad' : 'good',
        seats,
        felt: isMine && event.balance < 0 ? t('felt_via', { n: signed(event.balance) }) : null,
      }
    case 'debt_incurred':
      return { sign: 'loan', mood: 'bad', grave: isMine, seats }
    case 'territory_finished':
      return { sign: 'seal', mood: 'good', seats }
    case 'trade_accepted':
      return { sign: 'trade', mood: 'good', seats: [event.trade.from, event.trade.to] }
    case 'trade_rejected':
      return { sign: 'cross', seats, felt: isMine || me === null ? null : event.text }
    case 'action_undone':
    case 'territory_returned':
      return { sign: 'undo', mood: 'bad', seats }
    case 'seat_eliminated':
    case 'seat_restarted':
      return { sign: 'cross', mood: 'bad', grave: true, seats }
    case 'game_finished':
      return { sign: 'star', mood: 'good' }
    default:
      return null
  }
}

/**
 * Returns what a payment means for a seat. Rents and VIA have events of their own.
 * @param {{seat: number, to: number | null, euros: number, credits: number}} event
 * @param {number | null} me
 */
function paid({ seat, to, euros, credits }, me) {
  if (me === null) return null
  if (to === me) return t('felt_paid', { sum: sum(euros, credits) })
  return seat === me && to === null && euros > 0 ? t('felt_fined', { sum: sum(euros, credits) }) : null
}
