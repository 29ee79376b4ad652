// The page: routes, header, and the part below it.

import { isShutOut, line, Problem, untilHeard } from './base/api.js'
import { icon } from './base/icons.js'
import { followInstance, instance } from './base/instance.js'
import { inbox, myTurns, openInbox, whoAmI } from './base/inbox.js'
import { answer, invitations } from './base/invitations.js'
import { letter, useKeys } from './base/keys.js'
import { end as endPush } from './base/push.js'
import { follow, go, links, read } from './base/route.js'
import { ownKey, whyUnsigned } from './base/own_key.js'
import { keepSettings, remember, remembered, session, settings } from './base/store.js'
import { h, show } from './base/view.js'
import { chooseLanguage, language, t } from './base/words.js'
import { codePage } from './home/code.js'
import { consentPage } from './home/consent.js'
import { homePage } from './home/home.js'
import { invitePage } from './home/invite.js'
import { mailPage } from './home/mail_link.js'
import { rulesPage } from './home/rules.js'
import { settingsPage } from './home/settings.js'
import { tablesPage } from './home/tables.js'
import { explorationPage } from './table/exploration.js'
import { tablePage } from './table/page.js'

/**
 * A part of the page. `head` is its content in the header, `kind` selects the print style, `keys` are its
 * shortcuts, `clock` is a time that runs out.
 * @typedef {{title: () => string, kind?: string, head?: () => import('./base/view.js').Child, view: () => import('./base/view.js').Child, keys?: () => import('./base/keys.js').Keys, stop?: () => void, moved?: (route: import('./base/route.js').Route) => boolean, game?: string, clock?: () => string | null}} Page
 */

/** @type {Page | null} */
let page = null
let due = false

/** Redraws once for all changes of the same moment. */
function redraw() {
  if (due) return
  due = true
  queueMicrotask(() => {
    due = false
    draw()
  })
}

/** @param {import('./base/route.js').Route} route @returns {Page} */
function open(route) {
  switch (route.name) {
    case 'home':
      return homePage(redraw)
    case 'tables':
      return tablesPage(redraw)
    case 'table':
      return tablePage(route, redraw)
    case 'exploration':
      return explorationPage(route, redraw)
    case 'check':
      return later(async () => (await import('./check/page.js')).checkPage(route, redraw), 'check_title')
    case 'admin':
      return later(async () => (await import('./admin/page.js')).adminPage(redraw), 'moderation')
    case 'invite':
      return invitePage(route, redraw)
    case 'rules':
      return rulesPage(route, redraw)
    case 'settings':
      return settingsPage(redraw)
    case 'consent':
      return consentPage(redraw)
    case 'code':
      return codePage(route, redraw)
    case 'mail':
      return mailPage(route, redraw)
    case 'nothing':
      return nothingPage()
  }
}

/**
 * Returns a part of the page that is loaded when it is opened.
 * @param {() => Promise<Page>} load
 * @param {import('./base/words.js').TextName} title
 * @returns {Page}
 */
function later(load, title) {
  /** @type {Page | null} */
  let loaded = null
  let stopped = false
  const arrive = async () => {
    const unheard = () => Promise.reject(new Problem({ status: 0, code: 'unheard', detail: '' }))
    const part = await untilHeard(() => load().catch(unheard), Infinity)
    if (stopped) part.stop?.()
    else loaded = part
    redraw()
  }
  void arrive()
  return {
    title: () => loaded?.title() ?? t(title),
    view: () => loaded?.view() ?? h('main.narrow', { id: 'main' }, h('p', null, t('one_moment'))),
    stop: () => {
      stopped = true
      loaded?.stop?.()
    },
  }
}

/** @returns {Page} */
function nothingPage() {
  return {
    title: () => t('nothing_here'),
    view: () =>
      h(
        'main.narrow',
        { id: 'main' },
        h(
          'section.sheet',
          null,
          h('h1', null, t('nothing_here')),
          h('p', null, t('nothing_here_help')),
          h('a.button.main', { href: links.home }, t('to_my_games')),
        ),
      ),
  }
}

function arrive() {
  const route = read(location)
  if (page?.moved?.(route)) return
  const isFirst = page === null
  page?.stop?.()
  page = open(route)
  draw()
  scrollTo(0, 0)
  // For screen readers, the focus marks the new page.
  if (!isFirst) focusMain()
}

function draw() {
  if (!page) return
  const { theme, motion } = settings()
  document.documentElement.style.colorScheme = theme
  document.documentElement.classList.toggle('still', !motion)
  document.body.className = page.kind ?? 'house'
  const waiting = myTurns().length
  const title = `${page.title()} · playledger`
  const low = page.clock?.()
  const news = waiting ? `${t('your_turn_title', { n: waiting })} · ${title}` : title
  document.title = low ? `${low} · ${news}` : news
  show(
    document.body,
    h('a.skip', { href: '#main', onclick: toMain }, t('skip')),
    header(page),
    notice(),
    page.view(),
    page.head ? null : foot(),
  )
  const [next] = myTurns(page.game)
  useKeys({ ...(next ? { n: () => go(links.table(next.id)) } : {}), ...page.keys?.() })
}

/** @param {Event} event */
function toMain(event) {
  event.preventDefault()
  focusMain()
}

function focusMain() {
  const main = document.querySelector('main')
  main?.setAttribute('tabindex', '-1')
  main?.focus({ preventScroll: true })
}

/** @param {Page} shown */
function header(shown) {
  const others = myTurns(shown.game)
  const [next] = others
  return h(
    'header.bar',
    null,
    h('a.logo', { href: links.home }, icon('ledger'), h('span', null, 'playledger')),
    shown.head ? shown.head() : places(),
    h(
      'div.bar-end',
      null,
      next &&
        h(
          'a.button.next',
          { href: links.table(next.id) },
          h('span.word', null, t('next_game')),
          h('span.count', null, others.length),
          letter('N'),
        ),
      !shown.head && languages(),
      h(
        'a.plain',
        { href: links.settings },
        h('bdi.name', null, session.get()?.player.name ?? t('settings')),
      ),
    ),
  )
}

/** @type {['rules_url' | 'contact_url' | 'imprint_url' | 'privacy_url', import('./base/words.js').TextName][]} */
const LINKS = [
  ['rules_url', 'house_rules'],
  ['contact_url', 'contact'],
  ['imprint_url', 'imprint'],
  ['privacy_url', 'privacy'],
]

/** Documentation and the operator's links, on every page but a table's. */
function foot() {
  return h(
    'footer.foot',
    null,
    h('a', { href: '/guide/' }, t('guide')),
    h('a', { href: '/docs/' }, 'API'),
    h('a', { href: '/guide/verifying' }, t('fairness')),
    h('a', { href: links.admin }, t('moderation')),
    LINKS.map(([name, text]) => {
      const href = instance.known?.[name]
      return href && h('a', { key: name, href, rel: 'noreferrer' }, t(text))
    }),
    instance.known?.name && h('bdi', { key: 'name' }, instance.known.name),
  )
}

function places() {
  const here = read(location).name
  /** @param {string} name @param {string} link @param {string} text */
  const place = (name, link, text) =>
    h('a', { href: link, 'aria-current': here === name ? 'page' : null }, text)
  return h(
    'nav.places',
    { 'aria-label': 'playledger' },
    place('home', links.home, t('my_games')),
    place('tables', links.tables, t('open_tables')),
    place('rules', links.rules('industrial-waste'), t('rules')),
    place('check', links.check(), t('check_a_game')),
  )
}

function languages() {
  const other = language() === 'it' ? 'en' : 'it'
  const turn = () => {
    keepSettings({ language: other })
    location.reload()
  }
  return h(
    'button.quiet',
    { type: 'button', lang: other, onclick: turn },
    other === 'it' ? 'Italiano' : 'English',
  )
}

/** Without an account, from here on. */
async function watch() {
  await endPush().catch(() => null)
  session.set(null)
  location.reload()
}

/** Seen, and not read out each second. */
function triesAgain() {
  const n = Math.ceil((line.again - Date.now()) / 1000)
  return h('span', { 'aria-hidden': 'true' }, n > 0 ? t('tries_again_in', { n }) : t('tries_again'))
}

function notice() {
  if (isShutOut())
    return h(
      'p.notice',
      { key: 'notice', role: 'status' },
      t('ended'),
      ' ',
      h('a', { href: links.code }, t('have_code')),
      ' ',
      h('button.quiet', { type: 'button', onclick: () => void watch() }, t('go_on_watching')),
    )
  if (line.suspended)
    return h(
      'p.notice',
      { key: 'notice', role: 'status' },
      line.suspended,
      ' ',
      h('a', { href: links.admin }, t('why')),
    )
  if (line.state === 'lost')
    return h('p.notice', { key: 'notice', role: 'status' }, t('lost'), ' ', triesAgain())
  if (line.state === 'busy') return h('p.notice', { key: 'notice', role: 'status' }, t('busy'))
  if (line.blocked.size > 0) return h('p.notice', { key: 'notice', role: 'status' }, t('no_stream'))
  if (line.doubt) return h('p.notice', { key: 'notice', role: 'status' }, t(line.doubt))
  const told = instance.known?.notice
  if (told && remembered('notice') !== told.text) {
    const read = () => {
      remember('notice', told.text)
      redraw()
    }
    return h(
      'p.notice',
      { key: 'told', role: 'status' },
      h('bdi', null, told.text),
      ' ',
      h('button.quiet', { type: 'button', onclick: read }, t('understood')),
    )
  }
  const [invited] = session.get() ? invitations() : []
  if (invited && read(location).name !== 'invite' && page?.game !== invited.game) return invitation(invited)
  const why = session.get() && whyUnsigned()
  if (!why || remembered('unsigned')) return null
  const seen = () => {
    remember('unsigned', true)
    redraw()
  }
  return h(
    'p.notice',
    { key: 'notice', role: 'status' },
    t(why === 'page' ? 'unsigned_page' : 'unsigned_browser'),
    ' ',
    h('button.quiet', { type: 'button', onclick: seen }, t('understood')),
  )
}

/** @param {import('./base/invitations.js').Invitation} invited */
function invitation({ game, link, by, ruleset }) {
  const decline = () => {
    answer(game)
    redraw()
  }
  return h(
    'p.notice',
    { key: `invited ${game}`, role: 'status' },
    h('bdi', { dir: 'ltr' }, t('invited_by', { name: by || t('somebody'), game: ruleset })),
    ' ',
    h('a.button', { href: link, onclick: decline }, t('look_at_table')),
    ' ',
    h('button.quiet', { type: 'button', onclick: decline }, t('no')),
  )
}

/**
 * Follows sign-ins and sign-outs of other tabs, and forgets the earlier player.
 * @param {StorageEvent} event
 */
function followSession({ key, oldValue, newValue }) {
  const token = (/** @type {string | null} */ text) => (text ? JSON.parse(text).token : null)
  if (key === 'playledger.session' && token(oldValue) !== token(newValue)) location.reload()
}

/** A recovered player is known by the code before the name is loaded. */
async function start() {
  const known = session.get()
  if (!known) return
  if (!known.player.id) await untilHeard(whoAmI, Infinity)
  await ownKey()
  redraw()
}

chooseLanguage()
addEventListener('storage', followSession)
line.listeners.add(redraw)
inbox.listeners.add(redraw)
instance.listeners.add(redraw)
addEventListener('popstate', arrive)
addEventListener('click', follow)
openInbox()
followInstance()
void start().catch(() => null)
arrive()
