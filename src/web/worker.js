// The service worker: shows notifications of the server while the page is closed, and opens the chosen table.

const worker = /** @type {any} */ (globalThis)

worker.addEventListener('install', () => worker.skipWaiting())
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()))

worker.addEventListener('push', (/** @type {any} */ event) => {
  const { title = 'playledger', text = '', game = null } = event.data?.json() ?? {}
  // A new notification of a table replaces the older one.
  const shown = {
    body: text,
    tag: game ?? 'playledger',
    renotify: true,
    data: { place: game ? `/games/${game}` : '/settings' },
  }
  // The page counts the waiting games. Here is only known that there is one.
  void worker.navigator.setAppBadge?.()?.catch?.(() => null)
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
