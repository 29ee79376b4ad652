// Routes: every page, and every position of a game, has an address.

/** @typedef {{name: 'home'} | {name: 'tables'} | {name: 'settings'} | {name: 'code', code: string}
 *   | {name: 'table', id: string, seq: number | null} | {name: 'exploration', id: string} | {name: 'check', id: string | null}
 *   | {name: 'invite', code: string} | {name: 'rules', ruleset: string, rule: string | null} | {name: 'mail', what: 'confirm' | 'unsubscribe', code: string}
 *   | {name: 'consent'} | {name: 'admin'} | {name: 'nothing'}} Route */

/** Allowed parts of a route. Only these become part of requests. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const RULESET = /^[a-z0-9-]{0,40}$/
const CODE = /^[0-9A-Za-z._-]{1,80}$/

/**
 * Reads an address. Codes that give access are in the fragment, which a browser sends to no server.
 * @param {{pathname: string, hash: string}} address
 * @returns {Route}
 */
export function read({ pathname, hash }) {
  const [, first = '', second = '', third = '', ...more] = pathname.split('/').map(decode)
  const code = decode(hash.slice(1))
  const [id = '', at = ''] = second.toLowerCase().split('@')
  if (more.length > 0) return { name: 'nothing' }
  if (first === '') return { name: 'home' }
  if (first === 'rules' && RULESET.test(second))
    return { name: 'rules', ruleset: second || 'industrial-waste', rule: third || null }
  if (first === 'mail' && (second === 'confirm' || second === 'unsubscribe') && code)
    return { name: 'mail', what: second, code }
  if (first === 'oauth' && second === 'authorize') return { name: 'consent' }
  if (third !== '') return { name: 'nothing' }
  if (first === 'games' && second === '') return { name: 'tables' }
  if (first === 'games' && ID.test(id) && /^\d{0,15}$/.test(at))
    return { name: 'table', id, seq: at ? Number(at) : null }
  if (first === 'what-if' && ID.test(id)) return { name: 'exploration', id }
  if (first === 'check' && (id === '' || ID.test(id))) return { name: 'check', id: id || null }
  if (first === 'invite' && CODE.test(second)) return { name: 'invite', code: second }
  if (first === 'admin' && second === '') return { name: 'admin' }
  if (first === 'settings') return { name: 'settings' }
  if (first === 'code') return { name: 'code', code }
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
  home: '/',
  tables: '/games',
  settings: '/settings',
  code: '/code',
  admin: '/admin',
  /** @param {string} id @param {number | null} [seq] */
  table: (id, seq = null) => `/games/${id}${seq === null ? '' : `@${seq}`}`,
  /** @param {string} id */
  exploration: (id) => `/what-if/${id}`,
  /** @param {string | null} [id] */
  check: (id = null) => (id ? `/check/${id}` : '/check'),
  /** @param {string} code */
  invite: (code) => `/invite/${code}`,
  /** @param {string} ruleset @param {string} [rule] */
  rules: (ruleset, rule) => `/rules/${ruleset}${rule ? `/${rule}` : ''}`,
}

/** @param {string} link */
export const whole = (link) => `${location.origin}${link}`

/** Opens a page of this page, as a press on its link does. @param {string} link */
export function go(link) {
  history.pushState(null, '', link)
  dispatchEvent(new PopStateEvent('popstate'))
}

/**
 * Opens pressed links to pages of this page without loading anything again.
 * @param {MouseEvent} event
 */
export function follow(event) {
  if (event.defaultPrevented || event.button !== 0) return
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target || link.download) return
  if (link.origin !== location.origin || read(link).name === 'nothing') return
  event.preventDefault()
  if (link.href === location.href) dispatchEvent(new PopStateEvent('popstate'))
  else go(link.href)
}
