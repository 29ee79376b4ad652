// Renders the subset of Markdown in the rules: headings, paragraphs, tables, lists, bold, code and links to
// rules. No other markup is possible.

import { h } from './view.js'

/** @typedef {import('./view.js').Child} Child */

const RULE = /\b[A-Z]{2}-\d+(?:\.\d+)?\b/

/** @param {string} text @param {(rule: string) => string} link @returns {Child[]} */
function inline(text, link) {
  const parts = text.split(/(\*\*[^*]+\*\*|`[^`]+`|\*[^*]+\*|\b[A-Z]{2}-\d+(?:\.\d+)?\b)/)
  return parts.map((part) => {
    if (part.startsWith('**')) return h('strong', null, inlineRule(part.slice(2, -2), link))
    if (part.startsWith('`')) return h('code', null, part.slice(1, -1))
    if (part.startsWith('*') && part.length > 2) return h('em', null, part.slice(1, -1))
    return RULE.test(part) && part.match(RULE)?.[0] === part ? h('a', { href: link(part) }, part) : part
  })
}

/**
 * The number before a rule is the target of links.
 * @param {string} text
 * @param {(rule: string) => string} link
 */
function inlineRule(text, link) {
  return text.match(RULE)?.[0] === text
    ? h('span', { id: `rule-${text}`, tabindex: '-1' }, text)
    : inline(text, link)
}

/** @param {string} source @param {(rule: string) => string} link @returns {Child[]} */
export function markdown(source, link) {
  const blocks = source.replace(/\r/g, '').split(/\n{2,}/)
  return blocks.map((block) => {
    const lines = block.split('\n').filter((text) => text.trim() !== '')
    const first = lines[0] ?? ''
    const heading = first.match(/^(#{1,4}) (.*)$/)
    if (heading) {
      const level = Math.min(6, (heading[1]?.length ?? 1) + 1)
      const rest = lines.slice(1).join('\n')
      return [h(`h${level}`, null, inline(heading[2] ?? '', link)), rest && markdown(rest, link)]
    }
    if (first.startsWith('|')) return table(lines, link)
    if (/^(?:[-*]|\d+\.) /.test(first)) return items(lines, link)
    if (first.startsWith('```')) return h('pre', null, lines.slice(1, -1).join('\n'))
    return h('p', null, inline(lines.join(' '), link))
  })
}

/** @param {string[]} lines @param {(rule: string) => string} link */
function table(lines, link) {
  const cells = lines.map((text) =>
    text
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim()),
  )
  const [head = [], , ...rows] = cells
  return h(
    'div.wide',
    { tabindex: '0', role: 'group' },
    h(
      'table',
      null,
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          head.map((cell) => h('th', { scope: 'col' }, inline(cell, link))),
        ),
      ),
      h(
        'tbody',
        null,
        rows.map((row) =>
          h(
            'tr',
            null,
            row.map((cell) => h('td', null, inline(cell, link))),
          ),
        ),
      ),
    ),
  )
}

/** @param {string[]} lines @param {(rule: string) => string} link */
function items(lines, link) {
  /** @type {string[]} */
  const found = []
  for (const text of lines) {
    if (/^(?:[-*]|\d+\.) /.test(text)) found.push(text.replace(/^(?:[-*]|\d+\.) /, ''))
    else found.push(`${found.pop() ?? ''} ${text.trim()}`)
  }
  return h(
    /^\d/.test(lines[0] ?? '') ? 'ol' : 'ul',
    null,
    found.map((item) => h('li', null, inline(item, link))),
  )
}
