// Devices of the account: a code lets another device in, and a lost one can be revoked.

import { all, send } from '../base/api.js'
import { asking, oneAtATime } from '../base/asking.js'
import { makeCode, statements } from '../base/devices.js'
import { readTrueLog } from '../base/log.js'
import { ownKey } from '../base/own_key.js'
import { picture } from '../base/qr.js'
import { links, whole } from '../base/route.js'
import { keepReceipt } from '../base/receipts.js'
import { session } from '../base/store.js'
import { sign } from '../base/sign.js'
import { h } from '../base/view.js'
import { day, t } from '../base/words.js'
import { trouble } from './parts.js'

/** @param {() => void} redraw */
export function devicesSection(redraw) {
  let code = ''
  let isLinked = false
  /** Keys linked to this browser's key, with times. @type {{key: string, since: string}[]} */
  let others = []
  /** The key whose revocation needs a confirmation. @type {string | null} */
  let sure = null
  /** In how many games a key was not revoked. */
  let failed = 0
  const asked = asking(redraw)

  async function load() {
    const own = (await ownKey())?.hex
    /** @type {Map<string, string>} */
    const since = new Map()
    for (const { keys, sigs, created_at: at } of await statements()) {
      if (!sigs.includes(null)) for (const key of keys) if (key !== own && !since.has(key)) since.set(key, at)
    }
    others = [...since].map(([key, at]) => ({ key, since: at }))
    redraw()
  }
  void load().catch(() => null)

  const link = () =>
    asked.ask(async () => {
      isLinked = false
      code = await makeCode(() => {
        isLinked = true
        code = ''
        void load().catch(() => null)
      })
    })

  /** @param {string} key */
  const revoke = (key) =>
    asked.ask(async () => {
      sure = null
      failed = 0
      const me = session.get()?.player.id
      for (const game of await all('/v1/me/games?status=running')) {
        const seat = game.seats.find((/** @type {any} */ { player }) => player?.id === me)?.seat
        if (seat !== undefined) await revokeIn(game.id, seat, key).catch(() => (failed += 1))
      }
      if (failed === 0) await send('DELETE', `/v1/me/devices/${key}`)
      await load()
    })

  function view() {
    return [
      h('h3', null, t('other_device')),
      h('p.small', null, t('other_device_help')),
      code
        ? [
            h('p.code', { tabindex: '0' }, code),
            h('figure.picture', null, picture(whole(`${links.code}#${code}`), t('code_picture'))),
            h('p.small', null, t('stay_here')),
          ]
        : h('button', { type: 'button', ...oneAtATime(asked), onclick: () => void link() }, t('make_code')),
      isLinked && h('p', { role: 'status' }, t('linked')),
      trouble(asked.problem),
      failed > 0 && h('p.trouble', { role: 'alert' }, t('revoke_failed', { n: failed })),
      others.length > 0 && [
        h('h3', null, t('devices')),
        h('p.small', null, t('devices_help')),
        h(
          'ul.linked',
          null,
          others.map(({ key, since }) =>
            h(
              'li',
              { key },
              h('span', null, t('device_since', { date: day(since) }), ' ', h('code', null, key.slice(0, 8))),
              sure === key
                ? h(
                    'span.buttons',
                    null,
                    h(
                      'button.grave',
                      { type: 'button', ...oneAtATime(asked), onclick: () => void revoke(key) },
                      t('revoke_yes'),
                    ),
                    h('button', { type: 'button', onclick: () => ask(null) }, t('no')),
                  )
                : h(
                    'button',
                    {
                      type: 'button',
                      'aria-label': `${t('revoke')}: ${key.slice(0, 8)}`,
                      onclick: () => ask(key),
                    },
                    t('revoke'),
                  ),
            ),
          ),
        ),
      ],
    ]
  }

  /** @param {string | null} key */
  function ask(key) {
    sure = key
    redraw()
  }

  return { view }
}

/** @param {string} game @param {number} seat @param {string} key */
async function revokeIn(game, seat, key) {
  const log = await readTrueLog(game)
  const keys = log.seats[seat]?.keys
  if (!keys || keys.inForce.length === 0 || keys.revoked.has(key)) return
  const spot = { game, seat, seq: log.heads.length - 1, head: log.heads.at(-1) ?? '' }
  const { signed } = await sign(spot, { type: 'revoke', keys: [key] })
  const done = await send('POST', `/v1/games/${game}/revocations`, { keys: [key], signed })
  await keepReceipt(game, done.receipt)
}
