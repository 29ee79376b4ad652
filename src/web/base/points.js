// Ed25519 with the strictness of the format: keys and the first half of a signature must be canonical points
// of large order. The platform checks the rest.

import { hex } from './bytes.js'

const P = 2n ** 255n - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n
/** The y coordinates of all points of small order. */
const SMALL = new Set([
  0n,
  1n,
  P - 1n,
  2707385501144840649318225287225658788936804267575313519463743609750303402022n,
  55188659117513257062467267217118295137698188065244968500265048394206261417927n,
])

/** Returns the y coordinate of a point: all bits but the last. @param {Uint8Array} bytes */
function height(bytes) {
  const turned = Uint8Array.from(bytes).reverse()
  turned[0] = (turned[0] ?? 0) & 127
  return BigInt(`0x${hex(turned)}`)
}

/** @param {bigint} base @param {bigint} exponent */
function power(base, exponent) {
  let result = 1n
  for (let factor = base % P; exponent > 0n; exponent >>= 1n, factor = (factor * factor) % P) {
    if (exponent & 1n) result = (result * factor) % P
  }
  return result
}

/** Returns whether 32 bytes are a canonical point of large order. @param {Uint8Array} bytes */
export function isPoint(bytes) {
  if (!isStrong(bytes)) return false
  const y = height(bytes)
  const above = (y * y - 1n + P) % P
  const below = (D * y * y + 1n) % P
  // (y² - 1) / (dy² + 1) is a square exactly if numerator times denominator is.
  return power(above * below, (P - 1n) / 2n) === 1n
}

/** @param {Uint8Array} bytes */
function isStrong(bytes) {
  const y = height(bytes)
  return bytes.length === 32 && y < P && !SMALL.has(y)
}

/** @type {Map<string, Promise<CryptoKey>>} */
const imported = new Map()

/** Returns whether the browser can check signatures. */
export async function canVerify() {
  if (!crypto.subtle) return false
  const key = Uint8Array.from([
    0x8a, 0x88, 0xe3, 0xdd, 0x74, 0x09, 0xf1, 0x95, 0xfd, 0x52, 0xdb, 0x2d, 0x3c, 0xba, 0x5d, 0x72, 0xca,
    0x67, 0x09, 0xbf, 0x1d, 0x94, 0x12, 0x1b, 0xf3, 0x74, 0x88, 0x01, 0xb4, 0x0f, 0x6f, 0x5c,
  ])
  return crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']).then(
    () => true,
    () => false,
  )
}

/**
 * Checks a signature.
 * @param {Uint8Array<ArrayBuffer>} key
 * @param {Uint8Array<ArrayBuffer>} signature
 * @param {Uint8Array<ArrayBuffer>} message
 */
export async function verifies(key, signature, message) {
  if (signature.length !== 64 || !isPoint(key) || !isStrong(signature.slice(0, 32))) return false
  const name = hex(key)
  const known = imported.get(name) ?? crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify'])
  imported.set(name, known)
  return crypto.subtle.verify('Ed25519', await known, signature, message)
}
