// Remaining time, by the server's clock.

import { serverNow } from './api.js'
import { t } from './words.js'

/**
 * Returns the time until a deadline in words: days and hours, below an hour minutes, below two minutes
 * seconds.
 * @param {string} deadline
 */
export function left(deadline) {
  return span(Math.max(0, (Date.parse(deadline) - serverNow()) / 1000))
}

/** @param {number} seconds */
export function span(seconds) {
  const whole = Math.floor(seconds)
  if (whole < 120) return t('seconds', { n: whole })
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return t('minutes', { n: minutes })
  const hours = Math.floor(minutes / 60)
  if (hours < 24)
    return minutes % 60 ? t('hours_minutes', { h: hours, m: minutes % 60 }) : t('hours', { n: hours })
  const days = Math.floor(hours / 24)
  return hours % 24 ? t('days_hours', { d: days, h: hours % 24 }) : t('days', { n: days })
}

/**
 * Returns whether less than a quarter of the move's time is left.
 * @param {string} deadline
 * @param {{move_seconds: number} | null} clock
 */
export function isSoon(deadline, clock) {
  return clock !== null && Date.parse(deadline) - serverNow() < clock.move_seconds * 250
}

/**
 * Returns the time left for a move, and whether the time bank is running.
 * @param {string} deadline
 * @param {number} bank seconds of reserve
 */
export function leftOfMove(deadline, bank) {
  const ofMove = new Date(Date.parse(deadline) - bank * 1000).toISOString()
  const inBank = bank > 0 && Date.parse(ofMove) <= serverNow()
  return { inBank, text: left(inBank ? deadline : ofMove) }
}

/** Returns the text of a clock. @param {{move_seconds: number, bank_seconds: number} | null} clock */
export function ofClock(clock) {
  if (!clock) return t('no_clock')
  const move = t('a_move', { time: span(clock.move_seconds) })
  return clock.bank_seconds ? `${move} + ${t('of_bank', { time: span(clock.bank_seconds) })}` : move
}
