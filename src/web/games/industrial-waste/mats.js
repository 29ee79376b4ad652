// A mat for each company: three areas with their holes, waste with its zones, cash, loans, crates and cards.

import { icon, seatShape, shapePath } from '../../base/icons.js'
import { h, said } from '../../base/view.js'
import { number, t } from '../../base/words.js'
import { botLabel } from '../../home/parts.js'
import { changed, delta, isIdle } from '../../table/tray.js'
import { publicWorth } from './worth.js'
import { AREAS, cardName, cardText, family } from './cards.js'

/** @typedef {import('../../table/page.js').Parts} Parts */

const POINTS = [1, 3, 6, 10, 15]

/** @param {Parts} parts */
export function mats(parts) {
  const companies = [...parts.state.companies]
  // Mine first, the others as they sit after me.
  const me = parts.me ?? 0
  companies.sort((a, b) => ((a.seat - me + 4) % 4) - ((b.seat - me + 4) % 4))
  return h(
    'section.mats',
    { id: 'companies', 'aria-labelledby': 'mats-title' },
    h('h2.unseen', { id: 'mats-title', tabindex: '-1' }, t('companies')),
    companies.map((company) => mat(company, parts)),
  )
}

/** @param {any} company @param {Parts} parts */
export function mat(company, parts) {
  const { state, before, since, table, past, me } = parts
  const { seat } = company
  const old = before?.companies[seat]
  const then = before ? null : since?.companies[seat]
  const sits = table.view?.seats[seat]
  const isOver = past.seq === null && table.game?.status !== 'running'
  const player = table.player(seat)
  const tags = [
    player?.bot && botLabel(player),
    state.to_act === seat && !isOver && t('to_play'),
    state.starting_seat === seat && state.phase !== 'finished' && t('starts'),
    sits?.resigned ? t('resigned') : sits?.control === 'autopilot' && t('autopilot'),
    sits?.asks_pause && t('asks_pause'),
  ].filter(Boolean)
  /** @param {'coin' | 'loan' | 'crate'} sign @param {string} name @param {'cash' | 'loans' | 'materials'} what */
  const has = (sign, name, what) =>
    h(
      'div',
      null,
      h('dt', null, icon(sign), name),
      h(
        'dd',
        null,
        company[what] === null
          ? said(t('hidden'), '?')
          : [changed(old?.[what], company[what]), delta(then?.[what], company[what])],
      ),
    )
  return h(
    'article',
    { key: String(seat), class: `mat seat-${seat}` },
    h(
      'header',
      null,
      h(
        'h3',
        null,
        seatShape(seat),
        h('bdi.name', { title: player?.name ?? null }, player?.name ?? t('somebody')),
        seat === me && h('small', null, t('you')),
      ),
      h(
        'dl.payer_budget',
        null,
        has('coin', t('cash'), 'cash'),
        has('loan', t('loans'), 'loans'),
        has('crate', t('crates'), 'materials'),
        points(company),
      ),
    ),
    h(
      'div.areas',
      null,
      AREAS.map(([id, sign]) => area(id, sign, company, old ?? then, parts)),
    ),
    wasteTrack(company, old ?? then, parts),
    h(
      'div.hand-line',
      null,
      h(
        'ul.chips',
        null,
        company.cards.map((/** @type {string} */ kind, /** @type {number} */ at) => chip(kind, at, parts)),
        company.saved &&
          h(
            'li.chip',
            { key: 'saved', class: family(company.saved) },
            icon(company.saved),
            t('saved', { card: cardName(parts.catalogue, company.saved) }),
          ),
        company.cards.length === 0 &&
          !company.saved &&
          h('li.minor', { key: 'none' }, company.out ? t('out_this_round') : t('no_cards')),
      ),
      tags.map((tag) => h('span.tag', null, tag)),
      company.cards.includes(parts.ui.game.card) &&
        h('p.card-text', { role: 'status' }, cardText(parts.catalogue, parts.ui.game.card)),
    ),
  )
}

/** Shows the points of a company, as far as they are public. @param {any} company */
const points = (company) =>
  h(
    'div',
    null,
    h('dt', null, icon('star'), t('points_short')),
    h(
      'dd',
      { title: company.cash === null ? t('points_public') : null },
      number(publicWorth(company)),
      company.cash === null && said(t('points_public'), '+?'),
    ),
  )

/** @param {string} kind @param {number} at @param {Parts} parts */
const chip = (kind, at, { catalogue, ui, redraw }) =>
  h(
    'li.chip',
    { key: kind + at, class: family(kind) },
    h(
      'button.plain',
      {
        type: 'button',
        title: cardText(catalogue, kind),
        'aria-expanded': String(ui.game.card === kind),
        onclick: () => {
          ui.game.card = ui.game.card === kind ? null : kind
          redraw()
        },
      },
      icon(kind),
      cardName(catalogue, kind),
    ),
  )

/** @param {'rationalization' | 'raw_materials' | 'waste_reduction'} id @param {import('../../base/icons.js').IconName} sign
 * @param {any} company @param {any} old @param {Parts} parts */
function area(id, sign, company, old, parts) {
  const { catalogue, legal, draft, me } = parts
  const better =
    company.seat !== me || isIdle(parts)
      ? undefined
      : legal.find(
          ({ command }) =>
            command.type === 'innovate' &&
            'areas' in command &&
            !command.advisor &&
            command.areas.length === 1 &&
            command.areas[0] === id,
        )
  const need = company.needs[id]
  const was = old?.needs[id] ?? need
  const name = catalogue?.areas.find((one) => one.id === id)?.name ?? id
  return h(
    'div.area',
    { key: id },
    h('h4', null, icon(sign), name),
    h(
      'div.holes',
      {
        role: better ? 'group' : 'img',
        'aria-label': `${name}: ${was === need ? '' : `${was} → `}${need}, ${t('n_points', { n: POINTS[5 - need] ?? 0 })}`,
      },
      [5, 4, 3, 2, 1].map((hole) =>
        h(
          'span',
          { class: `hole${hole === need ? ' on' : ''}${hole === was && was !== need ? ' was' : ''}` },
          better && hole === need - 1
            ? h(
                'button.hole-button',
                { type: 'button', onclick: () => void draft.press(better.command, better.text ?? '') },
                said(better.text, hole),
              )
            : h('b', null, hole === need && marker(company.seat, was !== need), h('span', null, hole)),
          h('small', null, POINTS[5 - hole]),
        ),
      ),
    ),
  )
}

/** @param {number} seat @param {boolean} moved */
const marker = (seat, moved) =>
  h(
    'svg.marker',
    { viewBox: '0 0 30 30', 'aria-hidden': 'true', class: moved ? 'drafted' : null },
    h('path', { class: `fill-seat-${seat}`, d: shapePath(seat, 15, 15, 12) }),
  )

/** @param {any} company @param {any} old @param {Parts} parts */
function wasteTrack({ seat, waste, zone }, old, { catalogue }) {
  const inZone = catalogue?.zones.find(({ id }) => id === zone)?.name ?? zone
  const was = old?.waste ?? waste
  return h(
    'div.waste-line',
    null,
    h('h4', null, icon('barrel'), t('waste')),
    h(
      'div.waste',
      { role: 'img', 'aria-label': `${t('waste')}: ${was === waste ? '' : `${was} → `}${waste}, ${inZone}` },
      Array.from({ length: 17 }, (_, hole) =>
        h(
          'span',
          {
            class: `zone-${hole < 9 ? 'green' : hole < 13 ? 'yellow' : 'red'}${hole === waste ? ' on' : ''}${hole === was && was !== waste ? ' was' : ''}`,
          },
          hole === waste && marker(seat, was !== waste),
          h('b', null, hole),
        ),
      ),
    ),
  )
}
