// All tabs of a browser share six connections to a server. So a few tabs hold a stream of their table, and
// the others poll.

const PLACES = 3

/**
 * Runs `held` while a place is free, or `without` otherwise. The result of each ends it.
 * @param {() => () => void} held
 * @param {() => () => void} without
 * @returns {() => void}
 */
export function takePlace(held, without) {
  let isOver = false
  let end = () => {}

  /** @param {number} no @returns {Promise<boolean>} whether the place is ours, or nobody wants it any more */
  const take = (no) =>
    new Promise((taken) => {
      void navigator.locks.request(`playledger.table.${no}`, { ifAvailable: true }, (lock) => {
        taken(lock !== null || isOver)
        if (!lock || isOver) return null
        const stop = held()
        return new Promise((release) => {
          end = () => {
            stop()
            release(null)
          }
        })
      })
    })

  async function go() {
    for (let no = 0; no < PLACES; no += 1) if (await take(no)) return
    if (!isOver) end = without()
  }
  if (navigator.locks) void go()
  else end = held()
  return () => {
    isOver = true
    end()
  }
}
