// Problems: each refusal of the server, told by its code.

import type { components } from './api.js'

type Document = components['schemas']['Problem']

/** A refusal of the server. Branch on `code`. */
export class Problem extends Error {
  override readonly name = 'Problem'

  constructor(
    readonly status: number,
    readonly document: Document,
  ) {
    super(`${document.code}: ${document.detail ?? document.title}`)
  }

  get code(): string {
    return this.document.code
  }
}

/** Returns whether an error is a problem with one of these codes. */
export function isProblem(error: unknown, ...codes: string[]): error is Problem {
  return error instanceof Problem && (codes.length === 0 || codes.includes(error.code))
}

/** Returns the problem of an answer. A proxy may answer with something else. */
export async function problemOf(answer: Response): Promise<Problem> {
  const text = await answer.text()
  try {
    return new Problem(answer.status, JSON.parse(text))
  } catch {
    const title = `${answer.status} ${answer.statusText}`
    return new Problem(answer.status, {
      type: 'about:blank',
      title,
      status: answer.status,
      code: 'unknown',
    } as Document)
  }
}
