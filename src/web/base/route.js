// Where somebody is: every page, and every position of every game, is a link.

/** @typedef {{name: 'home'} | {name: 'tables'} | {name: 'settings'} | {name: 'code', code: string}
 *   | {name: 'table', id: string, seq: number | null} | {name: 'exploration', id: string} | {name: 'check', id: string | null}
 *   | {name: 'invite', code: string} | {name: 'rules', ruleset: string, rule: string | null} | {name: 'mail', what: 'confirm' | 'unsubscribe', code: string}
 *   | {name: 'nothing'}} Route */

/** @param {string} hash @returns {Route} */
export function read(hash) {
  const [first = '', second = '', third = ''] = hash.replace(/^#\/?/, '').split('/').map(decode)
  const game = second.toLowerCase().match(/^([0-9a-f-]{36})(?:@(\d{1,15}))?$/)
  if (first === '') return { name: 'home' }
  if (first === 'games' && second === '') return { name: 'tables' }
  if (first === 'games' && game) return { name: 'table', id: game[1] ?? '', seq: game[2] ? Number(game[2]) : null }
  if (first === 'what-if' && /^[0-9a-f-]{36}$/.test(second)) return { name: 'exploration', id: second }
  if (first === 'check') return { name: 'check', id: second.toLowerCase() || null }
  if (first === 'invite' && second) return { name: 'invite', code: second }
  if (first === 'rules') return { name: 'rules', ruleset: second || 'industrial-waste', rule: third || null }
  if (first === 'settings') return { name: 'settings' }
  if (first === 'mail' && (second === 'confirm' || second === 'unsubscribe') && third) return { name: 'mail', what: second, code: third }
  if (first === 'code') return { name: 'code', code: second }
  return { name: 'nothing' }
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

export const links = {
  home: '#/',
  tables: '#/games',
  settings: '#/settings',
  code: '#/code',
  /** @param {string} id @param {number | null} [seq] */
  table: (id, seq = null) => `#/games/${id}${seq === null ? '' : `@${seq}`}`,
  /** @param {string} id */
  exploration: (id) => `#/what-if/${id}`,
  /** @param {string | null} [id] */
  check: (id = null) => (id ? `#/check/${id}` : '#/check'),
  /** @param {string} code */
  invite: (code) => `#/invite/${code}`,
  /** @param {string} ruleset @param {string} [rule] */
  rules: (ruleset, rule) => `#/rules/${ruleset}${rule ? `/${rule}` : ''}`,
}

/** @param {string} link */
export const whole = (link) => `${location.origin}${location.pathname}${link}`

/** @param {string} link */
export function go(link) {
  location.hash = link
}
