// Retries: a request is sent again if no answer came, or if the server asks for it.

const ATTEMPTS = 6
const LONGEST = 60_000
/** Statuses of trouble that passes. */
export const PASSING = [429, 502, 503, 504]

/** Sends until there is an answer that another attempt would not change. */
export async function retried(send: () => Promise<Response>, signal?: AbortSignal): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    let wait = Math.random() * 250 * 2 ** attempt
    try {
      const answer = await send()
      const asked = Number(answer.headers.get('Retry-After') ?? 0) * 1_000
      if (!PASSING.includes(answer.status) || attempt === ATTEMPTS || asked > LONGEST) return answer
      await answer.body?.cancel()
      wait = Math.max(wait, asked)
    } catch (error) {
      // Only a lost connection is worth another attempt.
      if (!(error instanceof TypeError) || attempt === ATTEMPTS || signal?.aborted) throw error
    }
    await pause(wait, signal)
  }
}

/** Waits, or fails when the signal is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    const stop = () => (clearTimeout(timer), failed(signal?.reason))
    const timer = setTimeout(() => (signal?.removeEventListener('abort', stop), done()), milliseconds)
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
  })
}
