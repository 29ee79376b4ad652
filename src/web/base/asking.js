// Requests of a part of the page: one at a time, with the last refusal.

/** @typedef {{sending: boolean, problem: any, ask: (act: () => Promise<unknown>) => Promise<boolean>}} Asking */

/** @param {() => void} redraw
 * @param {(problem: any) => Promise<unknown>} [catchUp] what is looked at again after a refusal
 * @returns {Asking} */
export function asking(redraw, catchUp) {
  const asked = {
    /** Whether an answer is pending. */
    sending: false,
    /** The last refusal. @type {any} */
    problem: null,
    ask,
  }

  /**
   * Sends a request, unless another is pending. Returns whether it succeeded.
   * @param {() => Promise<unknown>} act
   */
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

/**
 * Attributes of a button that sends a request. `disabled` would lose the keyboard focus.
 * @param {Pick<Asking, 'sending'>} asked
 */
export const oneAtATime = (asked) => ({ 'aria-disabled': asked.sending ? 'true' : null })
