// Signing keys of a seat during one tenure.

import { found } from './finding.js'

/** Keys in force, and revoked keys. @typedef {{inForce: string[], revoked: Set<string>}} SeatKeys */

export const MOST_KEYS = 8

/** @param {string[]} inForce @returns {SeatKeys} */
export const emptyKeys = (inForce) => ({ inForce, revoked: new Set() })

/**
 * Returns the keys that a signature adds: none if its key is in force, otherwise those of its device
 * statements. The signatures of the statements are not checked here.
 * @param {SeatKeys} keys
 * @param {any} signed
 * @returns {{added: string[]} | {wrong: import('./finding.js').Finding}}
 */
export function chainOf({ inForce, revoked }, signed) {
  const devices = signed.devices ?? []
  if (inForce.includes(signed.key))
    return devices.length === 0 ? { added: [] } : { wrong: found('devices_not_needed') }
  /** @type {string[]} */
  const chain = []
  for (const {
    keys: [a, b],
  } of devices) {
    const before = chain.at(-1)
    const isKnown = (/** @type {string} */ key) =>
      before === undefined ? inForce.includes(key) : key === before
    const next = isKnown(a) ? b : isKnown(b) ? a : null
    if (next === null) return { wrong: found('devices_no_chain') }
    if (inForce.includes(next) || revoked.has(next) || chain.includes(next))
      return { wrong: found('device_not_allowed') }
    chain.push(next)
  }
  if (chain.length === 0) return { wrong: found('other_key') }
  return chain.at(-1) === signed.key ? { added: chain } : { wrong: found('devices_no_chain') }
}

/**
 * Returns the keys after an entry with this signature.
 * @param {SeatKeys} keys
 * @param {any} signed
 * @returns {SeatKeys}
 */
export function added(keys, signed) {
  const chain = chainOf(keys, signed)
  const more = 'added' in chain ? chain.added : []
  return keys.inForce.length + more.length > MOST_KEYS
    ? keys
    : { ...keys, inForce: [...keys.inForce, ...more] }
}

/** The keys after a `revoke` or a `rekey`. @param {SeatKeys} keys @param {any} body @returns {SeatKeys} */
export function follow(keys, body) {
  if (body.type === 'revoke') {
    for (const key of body.keys) keys.revoked.add(key)
    return { ...keys, inForce: keys.inForce.filter((key) => !body.keys.includes(key)) }
  }
  if (body.type !== 'rekey') return keys
  if (body.signed) keys.revoked.delete(body.signed.key)
  return { ...keys, inForce: body.signed ? [body.signed.key] : [] }
}
