// Data that must not be lost: the player's key, device statements, seat requests, promised bytes and
// receipts.

const SHELVES = /** @type {const} */ (['keys', 'devices', 'taken', 'promises', 'receipts'])

/** @typedef {typeof SHELVES[number]} Shelf */

/** @type {Promise<IDBDatabase> | null} */
let opened = null

/** @returns {Promise<IDBDatabase>} */
function open() {
  opened ??= new Promise((done, failed) => {
    const request = indexedDB.open('playledger', 1)
    request.onupgradeneeded = () => {
      for (const shelf of SHELVES) request.result.createObjectStore(shelf)
    }
    request.onsuccess = () => done(request.result)
    request.onerror = () => failed(request.error)
  })
  return opened
}

/** @template T @param {Shelf} shelf @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} ask
 * @returns {Promise<T>} */
async function on(shelf, mode, ask) {
  const store = (await open()).transaction(shelf, mode).objectStore(shelf)
  const request = ask(store)
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result)
    request.onerror = () => failed(request.error)
  })
}

/** @param {Shelf} shelf @param {string} name @returns {Promise<any>} */
export const take = (shelf, name) => on(shelf, 'readonly', (store) => store.get(name))

/** @param {Shelf} shelf @param {string} name @param {any} value */
export const put = (shelf, name, value) => on(shelf, 'readwrite', (store) => store.put(value, name))

/**
 * Returns all values whose names begin with `begin`.
 * @param {Shelf} shelf
 * @param {string} begin
 * @returns {Promise<any[]>}
 */
export const range = (shelf, begin) =>
  on(shelf, 'readonly', (store) => store.getAll(IDBKeyRange.bound(begin, `${begin}\uffff`)))
