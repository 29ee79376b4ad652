// Bytes, as the log format puts them together before they are hashed or signed.

import canonicalize from 'canonicalize'

type Bytes = Uint8Array<ArrayBuffer>

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export const unhex = (text: string): Bytes =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** `C` of the log format. */
export const canonical = (value: unknown): Bytes =>
  utf8((canonicalize as unknown as (value: unknown) => string | undefined)(value) ?? 'null')

/** `BE64` of the log format. */
export function be64(n: number): Bytes {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(n))
  return bytes
}

/** `F` of the log format. */
export function frame(tag: string, ...parts: Uint8Array[]): Bytes {
  const all = [utf8(`fairlog/3 ${tag}\n`), ...parts.flatMap((part) => [be64(part.length).slice(4), part])]
  const bytes = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of all) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** `H` of the log format. */
export const hash = async (tag: string, ...parts: Uint8Array[]): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', frame(tag, ...parts)))
