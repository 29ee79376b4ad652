// Bytes, and how they are put together before they are hashed or signed: `F` of fairlog, hex, and canonical
// JSON.

const encoder = new TextEncoder()

/** @param {string} text */
export const utf8 = (text) => encoder.encode(text)

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Returns the bytes of lowercase hex, or null.
 * @param {string} text
 * @param {number} [length]
 * @returns {Uint8Array<ArrayBuffer> | null}
 */
export function unhex(text, length = text.length / 2) {
  if (typeof text !== 'string' || !/^(?:[0-9a-f]{2})*$/.test(text) || text.length !== length * 2) return null
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/**
 * Returns the bytes of canonical base64, or null.
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer> | null}
 */
export function unbase64(text) {
  try {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
    return base64(bytes) === text ? bytes : null
  } catch {
    return null
  }
}

/** @param {Uint8Array} bytes */
export function base64(bytes) {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}

/** @param {Uint8Array[]} parts @returns {Uint8Array<ArrayBuffer>} */
export function join(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** @param {number} n */
export function be64(n) {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(n))
  return bytes
}

/** Returns a tag and parts, each after its length. @param {string} tag @param {Uint8Array[]} parts */
export function frame(tag, ...parts) {
  const framed = parts.flatMap((part) => {
    const length = new Uint8Array(4)
    new DataView(length.buffer).setUint32(0, part.length)
    return [length, part]
  })
  return join([utf8(`${tag}\n`), ...framed])
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
export const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

/** `H` of fairlog. @param {string} tag @param {Uint8Array[]} parts */
export const hash = (tag, ...parts) => sha256(frame(`fairlog/3 ${tag}`, ...parts))

/**
 * Returns JSON in its hashed form (RFC 8785; here all keys are plain and all numbers whole).
 * @param {any} value
 * @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`
}

/** @param {Uint8Array} a @param {Uint8Array} b */
export const same = (a, b) => a.length === b.length && a.every((byte, at) => byte === b[at])
