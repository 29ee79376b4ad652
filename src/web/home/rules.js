// The rule book of a game: contents, search, pictures, and numbers that are link targets for refusals.

import { keep } from '../base/api.js'
import { blockOf, sectionsOf } from '../base/markdown.js'
import { links } from '../base/route.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { printOf } from '../games/prints.js'
import { rulesets } from './parts.js'

/** @param {string} text */
const plain = (text) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()

/** The rules as text on the page. @param {string} ruleset @param {() => void} redraw */
export function rulesText(ruleset, redraw) {
  /**
   * The sections, read and drawn once.
   * @type {{id: string, title: string, level: number, words: string, drawn: import('../base/view.js').VNode}[] | null}
   */
  let sections = null
  let failed = false
  let wanted = ''
  const asked = Promise.all([
    keep(`/v1/rulesets/${ruleset}/rules`),
    keep(`/v1/rulesets/${ruleset}/catalogue`),
  ])
    .then(([source, catalogue]) => {
      const make = {
        link: (/** @type {string} */ rule) => links.rules(ruleset, rule),
        figure: (/** @type {string} */ id) => printOf(ruleset).figure?.(id, catalogue),
      }
      sections = sectionsOf(String(source)).map(({ id, title, level, blocks }) => ({
        id,
        title,
        level,
        words: plain(blocks.join(' ')),
        drawn: h(
          'section',
          { key: id },
          blocks.map((block) => blockOf(block, make)),
        ),
      }))
    })
    .catch(() => (failed = true))
    .then(redraw)
  const search = () =>
    h(
      'label.rules-search',
      null,
      t('search_rules'),
      h('input', {
        type: 'search',
        value: wanted,
        autocomplete: 'off',
        oninput: (/** @type {any} */ event) => {
          wanted = event.target.value
          redraw()
        },
      }),
    )
  const body = () => {
    if (failed) return h('p', null, t('nothing_here'))
    if (sections === null) return h('p', null, t('one_moment'))
    const words = plain(wanted).split(/\s+/).filter(Boolean)
    const found = sections.filter((section) => words.every((word) => section.words.includes(word)))
    return h(
      'article.rules',
      null,
      words.length > 0 && h('p.minor', { role: 'status' }, t('rules_found', { n: found.length })),
      found.map(({ drawn }) => drawn),
    )
  }
  return {
    view: body,
    search,
    /** The contents: the parts of the book, and the sections of the reference. */
    contents: () => (sections ?? []).filter(({ level }) => level === 2),
    /** Scrolls to a rule or a part, once it is loaded. @param {string} rule */
    lead: async (rule) => {
      await asked
      wanted = ''
      redraw()
      setTimeout(() => {
        const there = document.getElementById(`rule-${rule}`) ?? document.getElementById(rule)
        there?.scrollIntoView({ block: 'start' })
        there?.focus({ preventScroll: true })
      })
    },
  }
}

/** @param {{ruleset: string, rule: string | null}} route @param {() => void} redraw @returns {import('../main.js').Page} */
export function rulesPage(route, redraw) {
  /** @type {import('../types.d.ts').Ruleset[]} */
  let games = []
  void rulesets()
    .then((found) => {
      games = found
      redraw()
    })
    .catch(() => null)
  const text = rulesText(route.ruleset, redraw)
  if (route.rule) void text.lead(route.rule)
  const name = () => games.find(({ id }) => id === route.ruleset)?.name ?? ''
  const contents = () =>
    h(
      'ul',
      null,
      text
        .contents()
        .map(({ title, id }) =>
          h('li', { key: id }, h('a', { href: links.rules(route.ruleset, id) }, title)),
        ),
    )
  return {
    title: () => t('rules_of', { game: name() }),
    view: () =>
      h(
        'main.rule-book',
        { id: 'main' },
        h('h1.unseen', null, t('rules_of', { game: name() })),
        h(
          'nav.filters',
          { 'aria-label': t('rules') },
          games.map((game) =>
            h(
              'a.button',
              {
                key: game.id,
                href: links.rules(game.id),
                'aria-current': game.id === route.ruleset ? 'page' : null,
              },
              game.name,
            ),
          ),
        ),
        h(
          'nav.sheet.rules-contents',
          { 'aria-label': t('contents') },
          text.search(),
          h('details.folded', null, h('summary', null, t('contents')), contents()),
          h('div.unfolded', null, contents()),
        ),
        h('section.sheet', null, text.view()),
      ),
    moved: (next) => {
      if (next.name !== 'rules' || next.ruleset !== route.ruleset) return false
      if (next.rule) void text.lead(next.rule)
      return true
    },
  }
}
