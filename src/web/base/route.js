// Routes: every page, and every position of a game, has an address.

/** @typedef {{name: 'home'} | {name: 'tables'} | {name: 'settings'} | {name: 'code', code: string}
 *   | {name: 'table', id: string, seq: number | null} | {name: 'exploration', id: string} | {name: 'check', id: string | null}
 *   | {name: 'invite', code: string} | {name: 'rules', ruleset: string, rule: string | null} | {name: 'mail', what: 'confirm' | 'unsubscribe', code: string}
 *   | {name: 'consent'} | {name: 'nothing'}} Route */

/** Allowed parts of a route. Only these become part of requests. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const RULESET = /^[a-z0-9-]{0,40}$/
const CODE = /^[0-9A-Za-z._-]{1,80}$/

/** @param {string} hash @param {string} [path] @returns {Route} */
export function read(hash, path = location.pathname) {
  const [first = '', second = '', third = ''] = hash.replace(/^#\/?/, '').split('/').map(decode)
  const [asked = '', at = ''] = second.toLowerCase().split('@')
  const game = ID.test(asked) && /^\d{0,15}$/.test(at)
  if (first === '') return { name: path === '/oauth/authorize' ? 'consent' : 'home' }
  if (first === 'games' && second === '') return { name: 'tables' }
  if (first === 'games' && game) return { name: 'table', id: asked, seq: at ? Number(at) : null }
  if (first === 'what-if' && ID.test(second)) return { name: 'exploration', id: second }
  if (first === 'check' && (second === '' || ID.test(second.toLowerCase())))
    return { name: 'check', id: second.toLowerCase() || null }
  if (first === 'invite' && CODE.test(second)) return { name: 'invite', code: second }
  if (first === 'rules' && RULESET.test(second))
    return { name: 'rules', ruleset: second || 'industrial-waste', rule: third || null }
  if (first === 'settings') return { name: 'settings' }
  if (first === 'mail' && (second === 'confirm' || second === 'unsubscribe') && third)
    return { name: 'mail', what: second, code: third }
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
