// Renders the subset of Markdown in the rules: headings, paragraphs, tables, lists, quotations, bold, code,
// pictures of a game and links to rules. No other markup is possible.

import { h } from './view.js'

/** @typedef {import('./view.js').Child} Child */

/**
 * How links and pictures are made.
 * @typedef {{link: (rule: string) => string, figure?: (id: string) => Child}} Make
 */

const RULE = /\b[A-Z]{2}-\d+(?:\.\d+)?\b/
const HEADING = /^(#{1,4}) (.*)$/
const FIGURE = /^!\[([^\]]*)\]\(figure:([a-z-]+)\)$/
const ITEM = /^(?:[-*]|\d+\.) /

/** @param {string} text @param {Make} make @returns {Child[]} */
function inline(text, make) {
  const parts = text.split(/(\*\*[^*]+\*\*|`[^`]+`|\*[^*]+\*|\b[A-Z]{2}-\d+(?:\.\d+)?\b)/)
  return parts.map((part) => {
    if (part.startsWith('**')) return h('strong', null, inline(part.slice(2, -2), make))
    if (part.startsWith('`')) return h('code', null, part.slice(1, -1))
    if (part.startsWith('*') && part.length > 2) return h('em', null, part.slice(1, -1))
    return isRule(part) ? h('a', { href: make.link(part) }, part) : part
  })
}

/** @param {string} text */
const isRule = (text) => text.match(RULE)?.[0] === text

/** Returns the id of a heading: its rule, or its words. @param {string} title */
function anchor(title) {
  const rule = title.match(RULE)?.[0]
  if (rule && title.startsWith(rule)) return `rule-${rule}`
  const words = title.normalize('NFD').replace(/[\u0300-\u036f]/g, '')
  return `part-${words.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
}

/** Returns the blocks of a text. @param {string} source */
const blocksOf = (source) =>
  source
    .replace(/\r/g, '')
    .split(/\n{2,}/)
    .flatMap((block) => {
      const [first = '', ...rest] = block.split('\n')
      return HEADING.test(first) && rest.length ? [first, rest.join('\n')] : [block]
    })
    .filter((block) => block.trim() !== '')

/**
 * Returns the sections of a text, each from a heading to the next one.
 * @param {string} source
 * @returns {{id: string, title: string, level: number, blocks: string[]}[]}
 */
export function sectionsOf(source) {
  /** @type {ReturnType<typeof sectionsOf>} */
  const sections = []
  for (const block of blocksOf(source)) {
    const [, marks, title = ''] = block.match(HEADING) ?? []
    if (marks) sections.push({ id: anchor(title), title, level: marks.length, blocks: [block] })
    else sections.at(-1)?.blocks.push(block)
  }
  return sections
}

/** @param {string} block @param {Make} make @returns {Child} */
export function blockOf(block, make) {
  const lines = block.split('\n').filter((text) => text.trim() !== '')
  const first = lines[0] ?? ''
  const [, marks, title = ''] = first.match(HEADING) ?? []
  if (marks) {
    const level = Math.min(6, marks.length + 1)
    return h(`h${level}`, { id: anchor(title), tabindex: '-1' }, headline(title, make))
  }
  const [, caption, id = ''] = lines.join(' ').match(FIGURE) ?? []
  if (caption !== undefined) {
    const drawn = make.figure?.(id)
    return h('figure', null, drawn, h('figcaption', null, caption))
  }
  if (first.startsWith('|')) return table(lines, make)
  if (ITEM.test(first)) return items(lines, make)
  if (first.startsWith('> ')) {
    return h('aside.example', null, inline(lines.map((text) => text.replace(/^> ?/, '')).join(' '), make))
  }
  if (first.startsWith('```')) return h('pre', null, lines.slice(1, -1).join('\n'))
  return h('p', null, inline(lines.join(' '), make))
}

/** Returns a heading whose rule number links to itself. @param {string} title @param {Make} make */
function headline(title, make) {
  const rule = title.match(RULE)?.[0]
  return rule && title.startsWith(rule)
    ? [h('a.rule-no', { href: make.link(rule) }, rule), title.slice(rule.length)]
    : inline(title, make)
}

/** @param {string[]} lines @param {Make} make */
function table(lines, make) {
  const cells = lines.map((text) =>
    text
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim()),
  )
  const [head = [], , ...rows] = cells
  return h(
    'div.wide',
    { tabindex: '0', role: 'group', 'aria-label': head.filter(Boolean).join(', ') },
    h(
      'table',
      null,
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          head.map((cell) => (cell ? h('th', { scope: 'col' }, inline(cell, make)) : h('td'))),
        ),
      ),
      h(
        'tbody',
        null,
        rows.map((row) =>
          h(
            'tr',
            null,
            row.map((cell) => h('td', null, inline(cell, make))),
          ),
        ),
      ),
    ),
  )
}

/** @param {string[]} lines @param {Make} make */
function items(lines, make) {
  /** @type {string[]} */
  const found = []
  for (const text of lines) {
    if (ITEM.test(text)) found.push(text.replace(ITEM, ''))
    else found.push(`${found.pop() ?? ''} ${text.trim()}`)
  }
  const start = lines[0]?.match(/^(\d+)\./)?.[1]
  return h(
    start ? 'ol' : 'ul',
    { start: start && start !== '1' ? start : null },
    found.map((item) => h('li', null, inline(item, make))),
  )
}
