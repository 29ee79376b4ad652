// What this browser does while the page is not open: it shows what the server sends, and opens the table when that is chosen.

const worker = /** @type {any} */ (globalThis)

worker.addEventListener('install', () => worker.skipWaiting())
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()))

worker.addEventListener('push', (/** @type {any} */ event) => {
  const { title = 'playledger', text = '', game = null } = event.data?.json() ?? {}
  // What is told of a table takes the place of what was told of it before.
  const shown = {
    body: text,
    tag: game ?? 'playledger',
    renotify: true,
    data: { place: game ? `#/games/${game}` : '#/settings' },
  }
  event.waitUntil(worker.registration.showNotification(title, shown))
})

worker.addEventListener('notificationclick', (/** @type {any} */ event) => {
  event.notification.close()
  event.waitUntil(open(new URL(event.notification.data.place, worker.registration.scope).href))
})

/** @param {string} url */
async function open(url) {
  const [page] = await worker.clients.matchAll({ type: 'window' })
  if (!page) return worker.clients.openWindow(url)
  await page.navigate(url)
  return page.focus()
}
