// The types of each operation, taken from the generated document.

import type { paths } from './api.js'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths that have this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never
}[keyof paths]

type InPath<O> = O extends { parameters: { path: infer T } } ? { path: T } : { path?: never }
type InQuery<O> = O extends { parameters: { query?: infer T } } ? { query?: T } : { query?: never }
type InBody<O> = O extends { requestBody: { content: { 'application/json': infer T } } }
  ? { body: T }
  : O extends { requestBody?: { content: { 'application/json': infer T } } }
    ? { body?: T }
    : { body?: never }

/** What a request sends. */
export type Sent<O> = InPath<O> & InQuery<O> & InBody<O> & Settings

export interface Settings {
  /** Key of this change. A change with the same key is made once. Default: a random one for each call. */
  idempotencyKey?: string
  signal?: AbortSignal
}

type Content<R> = R extends { content: { 'application/json': infer T } }
  ? T
  : R extends { content: Record<string, string> }
    ? string
    : undefined

/** What a request returns. */
export type Answer<O> = O extends { responses: infer R }
  ? { [S in keyof R & (200 | 201 | 202 | 204)]: Content<R[S]> }[keyof R & (200 | 201 | 202 | 204)]
  : never
