// Devices of one player. When one device lets another in, both sign that their keys belong together. A secret
// next to the code, unknown to the server, shows each device that the other key is genuine.

import { get, pause, send } from './api.js'
import { hex, unhex, utf8 } from './bytes.js'
import { keyOf, ownKey, signWith } from './own_key.js'
import { isSignedByBoth, statementMessage } from './statement.js'
import { session } from './store.js'
import { put } from './vault.js'

/** @typedef {{keys: string[], sigs: (string | null)[], proof: string | null, created_at: string}} Statement */

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Digits of a secret, and of a code without it. */
const SECRET = 12
const CODE = 16
/** For how long a code is good, in milliseconds. */
const GOOD_FOR = 600_000

/** @param {string} typed */
const plain = (typed) =>
  typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')

/** @param {string} digits */
const grouped = (digits) => (digits.match(/.{1,4}/g) ?? []).join('-')

/** Splits a typed code into code and secret. A device without a key has no secret. @param {string} typed */
export const codeOf = (typed) => ({
  code: grouped(plain(typed).slice(0, CODE)),
  secret: plain(typed).slice(CODE),
})

/** Returns whether a code belongs to another device rather than to a recovery. @param {string} typed */
export const isOfDevice = (typed) => [CODE, CODE + SECRET].includes(plain(typed).length)

/** @param {string} secret @param {Uint8Array<ArrayBuffer>} message */
async function proofOf(secret, message) {
  const key = await crypto.subtle.importKey('raw', utf8(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  return hex(new Uint8Array(await crypto.subtle.sign('HMAC', key, message)))
}

/**
 * Makes a code for another device. While this page is open, the key of that device is linked.
 * @param {() => void} linked
 * @returns {Promise<string>}
 */
export async function makeCode(linked) {
  const key = await ownKey()
  if (!key) return (await send('POST', '/v1/me/links', {})).code
  const secret = Array.from(crypto.getRandomValues(new Uint8Array(SECRET)), (byte) => DIGITS[byte % 32]).join(
    '',
  )
  const proof = await proofOf(secret, unhex(key.hex) ?? new Uint8Array())
  const { code } = await send('POST', '/v1/me/links', { key: key.hex, proof })
  void linkNext(key, secret)
    .then((isLinked) => isLinked && linked())
    .catch(() => null)
  return `${code}-${grouped(secret)}`
}

/**
 * Waits for the other device, and signs its statement.
 * @param {import('./own_key.js').OwnKey} key
 * @param {string} secret
 */
async function linkNext(key, secret) {
  const player = session.get()?.player.id ?? ''
  for (
    const until = Date.now() + GOOD_FOR;
    Date.now() < until && session.get()?.player.id === player;
    await pause(2000)
  ) {
    for (const { keys, sigs, proof } of await statements()) {
      const at = keys.indexOf(key.hex)
      const message = statementMessage(player, keys)
      if (at < 0 || sigs[at] !== null || proof !== (await proofOf(secret, message))) continue
      const signed = sigs.with(at, await signWith(key, message))
      await put('devices', `${player} ${keys.join(' ')}`, { keys, sigs: signed })
      await send('POST', '/v1/me/devices', { keys, sigs: signed })
      return true
    }
  }
  return false
}

/**
 * Links this device to the one that made the code, if the secret proves its key.
 * @param {{token: string, player: {id: string}, linked_by?: string | null, proof?: string | null}} entered
 * @param {string} secret
 */
export async function linkTo({ token, player, linked_by: other, proof }, secret) {
  const key = await keyOf(player.id)
  const bytes = unhex(other ?? '', 32)
  if (
    !key ||
    !other ||
    !bytes ||
    secret === '' ||
    proof !== (await proofOf(secret, bytes)) ||
    other === key.hex
  )
    return
  const keys = [other, key.hex].sort()
  const message = statementMessage(player.id, keys)
  const sig = await signWith(key, message)
  const sigs = keys.map((one) => (one === key.hex ? sig : null))
  await put('devices', `${player.id} ${keys.join(' ')}`, { keys, sigs })
  await send('POST', '/v1/me/devices', { keys, sigs, proof: await proofOf(secret, message) }, token)
}

/** Returns the statements that the server keeps for the player. @returns {Promise<Statement[]>} */
export const statements = async () => (await get('/v1/me/devices')).items

/**
 * Returns whether statements of the player link a key to one that signs for a seat.
 * @param {string} from
 * @param {import('./seat_keys.js').SeatKeys} keys
 */
export async function isLinked(from, { inForce, revoked }) {
  const player = session.get()?.player.id ?? ''
  const whole = (await statements()).filter(({ sigs }) => !sigs.includes(null))
  const reached = new Set([from])
  for (const key of reached) {
    if (revoked.has(key)) continue
    if (inForce.includes(key)) return true
    for (const one of whole)
      if (one.keys.includes(key) && (await isSignedByBoth(player, one)))
        one.keys.forEach((next) => reached.add(next))
  }
  return false
}
