// What a page asks of the server: one thing at a time, and why it was refused.

/** @typedef {{sending: boolean, problem: any, ask: (act: () => Promise<unknown>) => Promise<boolean>}} Asking */

/** @param {() => void} redraw
 * @param {(problem: any) => Promise<unknown>} [catchUp] what is looked at again after a refusal
 * @returns {Asking} */
export function asking(redraw, catchUp) {
  const asked = {
    /** Whether an answer is waited for. */
    sending: false,
    /** Why the last thing was refused. @type {any} */
    problem: null,
    ask,
  }

  /** Asks for something, unless something is asked for already; says whether it was granted. @param {() => Promise<unknown>} act */
  async function ask(act) {
    if (asked.sending) return false
    asked.sending = true
    asked.problem = null
    redraw()
    try {
      await act()
    } catch (problem) {
      asked.problem = problem
      await catchUp?.(problem).catch(() => null)
    }
    asked.sending = false
    redraw()
    return asked.problem === null
  }

  return asked
}

/** What a button says that asks for something. Not `disabled`, which would lose the keyboard's place. @param {Pick<Asking, 'sending'>} asked */
export const oneAtATime = (asked) => ({ 'aria-disabled': asked.sending ? 'true' : null })
