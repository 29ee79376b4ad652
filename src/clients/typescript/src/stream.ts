// Streams: server-sent events that continue after the last one, whatever happens to the connection.

import { problemOf } from './problem.js'
import { PASSING, pause } from './retry.js'

export interface Told {
  id: string | null
  event: string
  data: unknown
}

/** The server sends a comment every 15 seconds. */
const SILENCE = 30_000
const SHORTEST = 500
const LONGEST = 15_000

type Connect = (last: string | null, signal: AbortSignal) => Promise<Response>

/** Yields events until the stream ends. Connects again after a loss. */
export async function* stream(
  connect: Connect,
  after: string | null,
  signal?: AbortSignal,
): AsyncGenerator<Told> {
  let last = after
  for (let wait = SHORTEST; ; wait = Math.min(wait * 2, LONGEST)) {
    const silence = new Silence(signal)
    try {
      const answer = await connect(last, silence.signal)
      if (answer.status === 204) return
      if (answer.status !== 200 && !PASSING.includes(answer.status)) throw await problemOf(answer)
      for await (const told of answer.status === 200 ? events(answer, silence) : []) {
        last = told.id ?? last
        wait = SHORTEST
        yield told
        if (told.event === 'end') return
      }
    } catch (error) {
      // A connection that is lost, or silent for too long, is replaced.
      const isLost = error instanceof TypeError || silence.isReached
      if (!isLost || signal?.aborted) throw error
    } finally {
      silence.end()
    }
    await pause(wait, signal)
  }
}

/** Aborts a connection that is silent. */
class Silence {
  readonly #controller = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  isReached = false

  constructor(private readonly outer?: AbortSignal) {
    outer?.addEventListener('abort', this.#stop)
    if (outer?.aborted) this.#stop()
    this.heard()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  heard(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => ((this.isReached = true), this.#controller.abort()), SILENCE)
  }

  end(): void {
    clearTimeout(this.#timer)
    this.outer?.removeEventListener('abort', this.#stop)
    this.#controller.abort()
  }

  readonly #stop = () => this.#controller.abort(this.outer?.reason)
}

async function* events(answer: Response, silence: Silence): AsyncGenerator<Told> {
  if (!answer.body) return
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let rest = ''; ;) {
    const { done, value } = await reader.read()
    if (done) return
    silence.heard()
    const parts = (rest + value).split('\n\n')
    rest = parts.pop() ?? ''
    yield* parts.map(read).filter((told) => told !== null)
  }
}

/** Reads an event. A comment is none. */
function read(part: string): Told | null {
  const fields = new Map<string, string>()
  for (const line of part.split('\n')) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name) fields.set(name, value ?? '')
  }
  const data = fields.get('data')
  if (data === undefined) return null
  return { id: fields.get('id') ?? null, event: fields.get('event') ?? '', data: JSON.parse(data) }
}
