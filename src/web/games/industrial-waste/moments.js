// Moments of the game: accidents, forced loans, costs, the last round.

import { list, t } from '../../base/words.js'

/** @param {any} event @param {number | null} me @returns {import('../../table/moments.js').Moment | null} */
export function moment(event, me) {
  const isMine = me !== null && event.seat === me
  switch (event.type) {
    case 'accident_drawn':
    case 'final_accident_began':
      return { sign: 'accident', mood: 'bad', grave: true }
    case 'accident_settled':
      return event.zone === 'green'
        ? {
            sign: 'tick',
            mood: 'good',
            grave: true,
            seats: [event.seat],
            felt: isMine ? t('felt_spared') : null,
          }
        : {
            sign: 'accident',
            mood: 'bad',
            grave: true,
            seats: [event.seat],
            felt: isMine ? accident(event) : null,
          }
    case 'loans_taken':
      return {
        sign: 'loan',
        mood: 'bad',
        grave: event.forced && isMine,
        seats: [event.seat],
        felt: event.forced && isMine ? t('felt_loan', { n: event.count, points: 10 * event.count }) : null,
      }
    case 'basic_costs_paid':
      return { sign: 'coin', seats: [event.seat], felt: isMine ? t('felt_costs', { n: event.amount }) : null }
    case 'lot_sold':
      return {
        sign: 'crate',
        seats: event.seller === event.buyer ? [event.buyer] : [event.seller, event.buyer],
        felt: event.seller === me && event.buyer !== me ? t('felt_sold', { n: event.price }) : null,
      }
    case 'waste_removed':
      return { sign: 'barrel', seats: [event.seat], felt: me !== null && !isMine ? t('felt_waste') : null }
    case 'final_round_reached':
      return { sign: 'star', grave: true, seats: [event.seat] }
    case 'game_finished':
      return { sign: 'star', mood: 'good' }
    default:
      return null
  }
}

/** @param {{paid: number, bribed: boolean, zone: string}} event */
function accident({ paid, bribed, zone }) {
  const back = bribed ? 0 : zone === 'red' ? 2 : 1
  const lost = [t('felt_money', { n: paid }), ...(back ? [t('felt_columns', { n: back })] : [])]
  return t('felt_accident', { lost: list(lost) })
}
