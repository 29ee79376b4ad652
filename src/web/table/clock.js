// The clock of a table: in the header, in the title when it runs low, and as sounds.

import { serverNow } from '../base/api.js'
import { icon } from '../base/icons.js'
import { play } from '../base/sound.js'
import { keepSettings, settings } from '../base/store.js'
import { isSoon, leftOfMove, span } from '../base/time.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'

/** @param {import('./model.js').Table} table @param {() => void} redraw */
export function openClock(table, redraw) {
  /** The clock speaks twice: when a quarter is left, and a minute. */
  function spoken() {
    const { view, game } = table
    if (!view?.deadline || view.to_act[0] !== table.me() || game?.status !== 'running') return ''
    const ms = Date.parse(view.deadline) - serverNow()
    return ms < 60_000 ? t('minute_left') : isSoon(view.deadline, game.clock) ? t('quarter_left') : ''
  }

  /** Shows the time of the player to act. */
  function shown() {
    const { view, game } = table
    if (view?.paused) return h('span.clock', null, icon('pause'), t('paused'))
    const deadline = view?.deadline
    const seat = view?.to_act[0]
    if (!deadline || seat === undefined || game?.status !== 'running') return null
    const bank = view.seats[seat]?.bank_seconds ?? 0
    const { inBank, text } = leftOfMove(deadline, bank)
    const soon = isSoon(deadline, game.clock)
    return h(
      'span',
      { class: soon ? 'clock soon' : 'clock' },
      icon('clock'),
      h('strong', null, text),
      h(
        'small',
        null,
        h(
          'bdi',
          { dir: 'ltr' },
          seat === table.me() ? t('left_for_you') : t('left_for', { name: table.name(seat) }),
        ),
        soon && `, ${t('soon')}`,
        inBank ? `, ${t('from_bank')}` : !soon && bank > 0 && `, ${t('then_bank', { time: span(bank) })}`,
      ),
    )
  }

  let heard = { isMine: true, warning: '' }

  /** Tells of the own turn, and of a clock that runs low, once each. */
  function sounds() {
    const isMine = table.view?.to_act[0] === table.me() && table.game?.status === 'running'
    const warning = spoken()
    if (isMine && !heard.isMine) play('turn')
    else if (warning && warning !== heard.warning) play('low')
    heard = { isMine, warning }
  }

  /** Live games may be heard. */
  function soundButton() {
    const { clock, status } = table.game ?? {}
    if (!clock || clock.move_seconds >= 3600 || status !== 'running' || table.me() === null) return null
    const isOn = settings().sound
    const turn = () => {
      keepSettings({ sound: !isOn })
      play('turn')
      redraw()
    }
    return h(
      'button.quiet.sound',
      {
        type: 'button',
        'aria-pressed': String(isOn),
        'aria-label': t('sound'),
        title: t('sound'),
        onclick: turn,
      },
      icon(isOn ? 'sound' : 'silent'),
    )
  }

  /** Returns the time left, if it is the player's and runs low. */
  function low() {
    const { view, game } = table
    const me = table.me()
    if (me === null || !view?.deadline || view.to_act[0] !== me) return null
    if (!isSoon(view.deadline, game?.clock ?? null)) return null
    return leftOfMove(view.deadline, view.seats[me]?.bank_seconds ?? 0).text
  }

  return { view: shown, low, spoken, soundButton, tick: sounds }
}
