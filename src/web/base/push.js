// Notifications of this browser while the page is closed.

import { get, send } from './api.js'
import { remember, remembered } from './store.js'

/** Returns whether the browser supports notifications. */
export const isPossible = () => isSecureContext && 'serviceWorker' in navigator && 'PushManager' in globalThis

/**
 * Returns whether this is an iPhone or iPad, on which only pages on the home screen get notifications, and the
 * page is not there yet.
 */
export const needsHomeScreen = () =>
  (/iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (navigator.userAgent.includes('Mac') && navigator.maxTouchPoints > 1)) &&
  !matchMedia('(display-mode: standalone)').matches

/** The only address that may become a script here. @type {any} */
const scripts = /** @type {any} */ (globalThis).trustedTypes?.createPolicy('worker', {
  createScriptURL: () => '/worker.js',
})

async function registration() {
  await navigator.serviceWorker.register(scripts?.createScriptURL('') ?? '/worker.js')
  return navigator.serviceWorker.ready
}

/** Returns the server's id of this browser. @returns {string | null} */
export const ownId = () => remembered('push') ?? null

/** @param {string} key */
async function subscribe(key) {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error('denied')
  const { pushManager } = await registration()
  await (await pushManager.getSubscription())?.unsubscribe()
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { endpoint, keys } = made.toJSON()
  remember('push', (await send('POST', '/v1/me/pushes', { endpoint, keys, name: ownName() })).id)
}

/**
 * Asks the person, the browser and the server. Returns whether the person and the browser allow it.
 * @param {string} key
 */
export const begin = (key) =>
  subscribe(key).then(
    () => true,
    (refused) => {
      if (refused.status !== undefined) throw refused
      return false
    },
  )

export async function end() {
  const id = ownId()
  remember('push', null)
  const known = await navigator.serviceWorker?.getRegistration()
  await (await known?.pushManager?.getSubscription())?.unsubscribe()
  if (id) await send('DELETE', `/v1/me/pushes/${id}`).catch(() => null)
}

/** Returns the name of this browser in the list of browsers. */
function ownName() {
  const agent = navigator.userAgent
  const browser =
    ['Firefox', 'Edg', 'Chrome', 'Safari'].find((name) => agent.includes(`${name}/`)) ?? 'Browser'
  const system = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'].find((name) => agent.includes(name))
  return [browser === 'Edg' ? 'Edge' : browser, system].filter(Boolean).join(', ')
}

export const notifications = () => get('/v1/me/notifications')
