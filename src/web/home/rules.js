// The rules of a game. Their numbers are link targets for refusals.

import { keep } from '../base/api.js'
import { markdown } from '../base/markdown.js'
import { links } from '../base/route.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { rulesets } from './parts.js'

/** The rules as text on the page. @param {string} ruleset @param {() => void} redraw */
export function rulesText(ruleset, redraw) {
  /** @type {import('../base/view.js').VNode | null} */
  let text = null
  const asked = keep(`/v1/rulesets/${ruleset}/rules`)
    .then(
      (source) => {
        text = h(
          'article.rules',
          null,
          markdown(String(source), (rule) => links.rules(ruleset, rule)),
        )
      },
      () => {
        text = h('p', null, t('nothing_here'))
      },
    )
    .then(redraw)
  return {
    view: () => text ?? h('p', null, t('one_moment')),
    /** Scrolls to a rule, once it is loaded. @param {string} rule */
    lead: async (rule) => {
      await asked
      setTimeout(() => {
        const there = document.getElementById(`rule-${rule}`)
        there?.scrollIntoView({ block: 'center' })
        there?.focus()
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
  return {
    title: () => t('rules_of', { game: name() }),
    view: () =>
      h(
        'main.narrow',
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
        h('section.sheet', null, text.view()),
      ),
    moved: (next) => {
      if (next.name !== 'rules' || next.ruleset !== route.ruleset) return false
      if (next.rule) void text.lead(next.rule)
      return true
    },
  }
}
