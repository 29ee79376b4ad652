// The client: typed requests, with retries, receipts and streams.

import type { components, paths } from './api.js'
import type { Answer, Method, PathOf, Sent, Settings } from './operation.js'
import { problemOf } from './problem.js'
import { retried } from './retry.js'
import { stream, type Told } from './stream.js'

type Schemas = components['schemas']

/** A receipt proves that the server accepted an entry. */
export interface Receipt {
  /** The signed note. */
  note: string
  /** The answer that had it. */
  method: Method
  path: string
}

export interface Options {
  token?: string
  /** Language of texts: `en` or `it`. */
  language?: string
  /** Stores a receipt. An answer is returned after this. */
  keep?: (receipt: Receipt) => void | Promise<void>
}

/** How a stream of a game begins, and what it has. */
export interface Following {
  /** Number of the newest entry that you know, such as `seq` of the view. -1: all. Default: only what is new. */
  after?: number
  views?: boolean
  legal?: boolean
  words?: boolean
  signal?: AbortSignal
}

export type Entry = Schemas['EventItem']

type Loose = { path?: object; query?: object; body?: unknown } & Settings

export class Client {
  readonly #server: string
  readonly #options: Options

  constructor(server: string, options: Options = {}) {
    this.#server = server.replace(/\/+$/, '')
    this.#options = options
  }

  /** Returns a client of the same server with a token. */
  with(token: string): Client {
    return new Client(this.#server, { ...this.#options, token })
  }

  get<P extends PathOf<'get'>>(path: P, ...sent: Args<paths[P]['get']>): Promise<Answer<paths[P]['get']>> {
    return this.#call('get', path, sent[0])
  }

  post<P extends PathOf<'post'>>(
    path: P,
    ...sent: Args<paths[P]['post']>
  ): Promise<Answer<paths[P]['post']>> {
    return this.#call('post', path, sent[0])
  }

  put<P extends PathOf<'put'>>(path: P, ...sent: Args<paths[P]['put']>): Promise<Answer<paths[P]['put']>> {
    return this.#call('put', path, sent[0])
  }

  patch<P extends PathOf<'patch'>>(
    path: P,
    ...sent: Args<paths[P]['patch']>
  ): Promise<Answer<paths[P]['patch']>> {
    return this.#call('patch', path, sent[0])
  }

  delete<P extends PathOf<'delete'>>(
    path: P,
    ...sent: Args<paths[P]['delete']>
  ): Promise<Answer<paths[P]['delete']>> {
    return this.#call('delete', path, sent[0])
  }

  /** Yields each new entry of a game until its end. Nothing is missed, and nothing comes twice. */
  async *follow(game: string, { after, views, legal, words, signal }: Following = {}): AsyncGenerator<Entry> {
    // A lost connection must not move the beginning.
    const begin = after ?? (await this.get('/v1/games/{id}', { path: { id: game } })).seq
    const query = { after: begin, views, with: legal ? 'legal' : undefined, words }
    const path = address('/v1/games/{id}/events', { path: { id: game }, query })
    for await (const { event, data } of this.#stream(path, null, signal))
      if (event === '') yield data as Entry
  }

  /** Yields the notifications of the account. After `reset`, read your games anew. */
  notifications(after: string | null = null, signal?: AbortSignal): AsyncGenerator<Told> {
    return this.#stream(address('/v1/me/events', { query: { after: after ?? undefined } }), after, signal)
  }

  #stream(path: string, after: string | null, signal?: AbortSignal): AsyncGenerator<Told> {
    const connect = (last: string | null, signal: AbortSignal) => {
      const headers = this.#headers({ Accept: 'text/event-stream' })
      if (last !== null) headers.set('Last-Event-ID', last)
      return fetch(this.#server + path, { headers, signal })
    }
    return stream(connect, after, signal)
  }

  async #call<T>(method: Method, path: string, sent: Loose = {}): Promise<T> {
    const headers = this.#headers({ Accept: 'application/json, */*;q=0.5' })
    // A retry has the same key, so that the change is made once.
    if (method !== 'get') headers.set('Idempotency-Key', sent.idempotencyKey ?? crypto.randomUUID())
    const body = sent.body === undefined ? null : JSON.stringify(sent.body)
    if (body !== null) headers.set('Content-Type', 'application/json')
    const request = { method: method.toUpperCase(), headers, body, signal: sent.signal ?? null }
    const url = this.#server + address(path, sent)
    const answer = await retried(() => fetch(url, request), sent.signal)
    if (!answer.ok) throw await problemOf(answer)
    if (answer.status === 204) return undefined as T
    if (!answer.headers.get('Content-Type')?.includes('json')) return (await answer.text()) as T
    const read = await answer.json()
    for (const note of [read.receipt, read.seal_receipt]) {
      if (typeof note === 'string') await this.#options.keep?.({ note, method, path: address(path, sent) })
    }
    return read
  }

  #headers(more: Record<string, string>): Headers {
    const headers = new Headers(more)
    const { token, language } = this.#options
    if (token) headers.set('Authorization', `Bearer ${token}`)
    if (language) headers.set('Accept-Language', language)
    return headers
  }
}

/** The arguments after the path: none, if nothing is required. */
type Args<O> = {} extends Sent<O> ? [sent?: Sent<O>] : [sent: Sent<O>]

/** Returns a path with its parameters. */
function address(path: string, { path: names = {}, query = {} }: Loose): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String((names as never)[name])))
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
  return search ? `${filled}?${search}` : filled
}
