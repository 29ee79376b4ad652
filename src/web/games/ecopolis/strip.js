// A strip of readable squares for small screens, where the ring is an overview.

import { icon, seatShape } from '../../base/icons.js'
import { isStill } from '../../base/store.js'
import { h } from '../../base/view.js'
import { number, t } from '../../base/words.js'

/** @param {import('../../table/page.js').Parts} parts */
export function strip(parts) {
  const { state, catalogue } = parts
  const here = state.seats[parts.me ?? state.turn_seat]?.square ?? 0
  return h(
    'ol.strip',
    { 'aria-label': t('board'), tabindex: '0', 'data-here': String(here), made: scrollToHere },
    (catalogue?.squares ?? []).map(({ square, kind, name, territory, action }) => {
      const card = catalogue?.territories.find((one) => one.id === territory)
      const now = state.territories.find((/** @type {any} */ one) => one.id === territory)
      const pawns = state.seats.filter((/** @type {any} */ one) => one.square === square && !one.eliminated)
      const area = catalogue?.areas.findIndex((one) => one.id === card?.area)
      return h(
        'li',
        { key: String(square), class: square === here ? 'here' : null },
        h(
          'span.strip-no',
          null,
          square,
          ' ',
          pawns.map((/** @type {any} */ { seat }) => seatShape(seat)),
        ),
        h('strong', null, name),
        card &&
          h(
            'span',
            { class: `strip-slots area-${area}` },
            card.slots.map((id, at) => h('span', { class: at < now.actions_done ? 'done' : null }, icon(id))),
          ),
        card &&
          h(
            'small',
            null,
            now.owner === null
              ? `${t('price')} ${number(card.price)}`
              : [seatShape(now.owner), ' ', t('rent'), ' ', number(now.rent)],
          ),
        kind === 'event' && h('small', null, icon('star'), action && icon(action)),
      )
    }),
  )
}

/** @param {Element} element */
function scrollToHere(element) {
  const look = () => {
    const there = element.querySelector('.here')
    if (there instanceof HTMLElement) element.scrollLeft = middleOf(there, element)
  }
  setTimeout(look)
  new MutationObserver(look).observe(element, { attributes: true, attributeFilter: ['data-here'] })
}

/**
 * Returns the scroll position with a square in the middle.
 * @param {HTMLElement} square
 * @param {Element} strip
 */
const middleOf = (square, strip) => square.offsetLeft - strip.clientWidth / 2 + square.clientWidth / 2

/** Scrolls to a square that was pressed on the ring, and marks it. @param {number} no */
export function leadStrip(no) {
  const strip = document.querySelector('.strip')
  const square = strip?.children[no]
  if (!strip || !(square instanceof HTMLElement)) return
  strip.scrollTo({ left: middleOf(square, strip), behavior: isStill() ? 'auto' : 'smooth' })
  square.animate([{ outline: '3px solid var(--focus)' }, { outline: '3px solid var(--focus)' }], 2000)
}
