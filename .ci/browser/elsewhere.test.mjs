// Events elsewhere: on another device, in another tab, at a busy server, and behind a gate.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  begun,
  browser,
  host,
  join,
  open,
  pair,
  person,
  player,
  receipts,
  server,
  silent,
  steps,
  view,
} from './support.mjs'

open()

const column = (page) =>
  page
    .locator('#tray')
    .getByRole('button', { name: /^Take column/ })
    .first()
const note = (page) => page.getByLabel('Only you see your notes.')

/** Sends a request with the token of this browser's player. */
const ask = (page, method, path) =>
  page.evaluate(
    async ([method, path]) => {
      const { token } = JSON.parse(localStorage.getItem('playledger.session'))
      return (await fetch(path, { method, headers: { authorization: `Bearer ${token}` } })).json()
    },
    [method, path],
  )

const game = (page) => page.url().split('/').at(-1)

async function send(page) {
  await page.getByRole('button', { name: /^Send/ }).click()
  await page.locator('.draft').waitFor({ state: 'detached' })
}

/** Opens a second browser of the same player, by the code in the settings. */
async function linked(page) {
  const url = page.url()
  await page.goto(`${server.url}/settings`)
  await page.getByRole('button', { name: 'Create code' }).click()
  await page.locator('.picture').waitFor()
  const code = await page.locator('.you .code').first().textContent()
  const device = await person(browser, server.url)
  await device.goto(`${server.url}/code#${code}`)
  await device.getByRole('button', { name: 'Sign in' }).click()
  await device.locator('.home').waitFor()
  await page.getByText('The other device is linked.').waitFor()
  for (const one of [page, device]) {
    await one.goto(url)
    await one.locator('.tray').waitFor()
  }
  return device
}

const borrow = async (page) => {
  const { seq } = await view(page)
  await page.waitForFunction((newest) => document.querySelector('.scrubber input')?.max >= newest, seq)
  await page.getByRole('button', { name: /^Borrow 10/ }).click()
  await send(page)
}

test('two devices play one seat in turn, and nobody hears of keys', async () => {
  const { pages, page, other } = await pair()
  const device = await linked(page)
  for (const one of [device, page, device, page]) await borrow(one)
  const { items } = await ask(page, 'GET', `/v1/games/${game(page)}/log?limit=100`)
  const moves = items.filter(({ body }) => body.type === 'cmd').map(({ body }) => body.signed)
  assert.equal(
    moves.filter(({ devices }) => devices).length,
    1,
    'the statement is in the first move of the new device',
  )
  assert.equal(new Set(moves.map(({ key }) => key)).size, 2)
  assert.equal(items.filter(({ body }) => ['rekey', 'revoke'].includes(body.type)).length, 0)
  for (const one of [page, device, other]) assert.equal(await one.locator('#log').getByText(/key/).count(), 0)
  silent(device, ...pages)
})

test('a device that is revoked signs nothing more', async () => {
  const { pages, page } = await pair()
  const device = await linked(page)
  await borrow(device)
  await page.goto(`${server.url}/settings`)
  await page.getByRole('button', { name: /^Revoke/ }).click()
  await page.getByRole('button', { name: 'Yes, revoke it' }).click()
  await page.getByText('Linked devices').waitFor({ state: 'detached' })
  const id = device.url().split('/').at(-1)
  const { items } = await ask(page, 'GET', `/v1/games/${id}/log?limit=100`)
  assert.equal(items.filter(({ body }) => body.type === 'revoke').length, 1)
  await device.reload()
  await device.getByText('This browser has none of the keys of your seat.').waitFor()
  silent(device, ...pages)
})

test('a player who has lost all keys recovers, and the log says so', async () => {
  const { page, other } = await pair()
  const recovery = await page.evaluate(() => JSON.parse(localStorage.getItem('playledger.session')).recovery)
  const device = await person(browser, server.url)
  await device.goto(`${server.url}/code#${recovery}`)
  await device.getByRole('button', { name: 'Sign in' }).click()
  await device.locator('.home').waitFor()
  await device.goto(page.url())
  await device.getByText('This browser has none of the keys of your seat.').waitFor()
  await borrow(device)
  const { items } = await ask(device, 'GET', `/v1/games/${game(device)}/log?limit=100`)
  assert.deepEqual(
    items.map(({ body }) => body.type).filter((type) => ['rekey', 'cmd'].includes(type)),
    ['rekey', 'cmd'],
  )
  await other.getByText(/^Technical/).click()
  await other.getByText("has a new key, on the server's word alone.").waitFor()
  silent(device)
})

test('a device that can sign nothing, as one without TLS, takes the seat over and plays', async () => {
  const { pages, page } = await pair()
  const { code } = await ask(page, 'POST', '/v1/me/links')
  const device = await person(browser, server.url)
  await device.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined }))
  await device.goto(`${server.url}/code#${code}`)
  await device.reload()
  await device.getByRole('button', { name: 'Sign in' }).click()
  await device.locator('.home').waitFor()
  await device.goto(page.url())
  await column(device).click()
  await send(device)
  silent(device, ...pages)
})

test('what is drafted is tried anew when what it was built on is taken back', async () => {
  const { pages, page } = await pair()
  await page.getByRole('button', { name: 'Borrow 10 (1 loan, −10 points)' }).click()
  await send(page)
  await column(page).click()
  await steps(page).first().waitFor()
  const again = page.waitForRequest(/\/drafts/)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Take back', exact: true }).click()
  assert.equal((await again).postDataJSON().expected_seq, (await view(page)).seq)
  await page.getByText('moved in the meantime').waitFor({ state: 'detached' })
  await send(page)
  silent(...pages)
})

test('who reveals what was promised has the receipt of the full table', async () => {
  const { pages } = await pair()
  for (const [seat, page] of pages.entries()) {
    const { items } = await ask(page, 'GET', `/v1/games/${game(page)}/log?limit=100`)
    const seqOf = (type, of) => items.find(({ body }) => body.type === type && body.seat === of).body.seq
    const full = Math.max(...items.filter(({ body }) => body.type === 'join').map(({ body }) => body.seq))
    const kept = await receipts(page)
    const inHand = kept
      .map((receipt) => receipt.split('\n'))
      .filter(([, id, seq]) => id === game(page) && seq >= full && seq < seqOf('reveal', seat))
    assert.ok(inHand.length > 0, kept.join('\n'))
    for (const [, , seq, , head] of inHand) assert.equal(head, items[seq].head)
  }
})

test('a note that could not be read is not written over, and what is typed stays', async () => {
  const { pages, page, other } = await pair()
  await page.getByRole('tab', { name: 'Notes' }).click()
  await note(page).fill('Bruno likes crates')
  await page.getByText('Saved at move').waitFor()
  await page.route(/\/note$/, (route) => route.fulfill({ status: 500 }))
  await page.reload()
  await begun([page])
  await page.getByRole('tab', { name: 'Notes' }).click()
  assert.equal(await note(page).isDisabled(), true)
  await page.unroute(/\/note$/)
  await page.waitForFunction(() => document.querySelector('#note')?.value === 'Bruno likes crates')
  let letGo
  const held = new Promise((done) => (letGo = done))
  await page.route(/\/note$/, (route) => held.then(() => route.continue()))
  await note(page).fill('Bruno likes cranes')
  await other.getByRole('tab', { name: /Messages/ }).click()
  await other.getByLabel('Message', { exact: true }).fill('Good luck')
  await other.getByRole('button', { name: 'Send' }).click()
  await page
    .getByRole('tab', { name: /Messages/ })
    .locator('.count')
    .waitFor()
  assert.equal(await note(page).inputValue(), 'Bruno likes cranes')
  letGo()
  await page.getByText('Saved at move').waitFor()
  silent(...pages.filter((one) => one !== page))
})

test('an invitation is read though the server had no time at first', async () => {
  const link = await host(await player(browser, server.url, 'Ada'))
  const bruno = await player(browser, server.url, 'Bruno')
  await bruno.route(/\/v1\/invites\//, (route) => route.fulfill({ status: 503 }), { times: 2 })
  await join(bruno, link)
})

test('what stands before a server and does not hear it either is no answer', async () => {
  const { page } = await pair()
  await column(page).click()
  await steps(page).first().waitFor()
  await page.route(/\/commands\?/, (route) => route.fulfill({ status: 502 }), { times: 1 })
  await send(page)
  await page.locator('.notice').waitFor({ state: 'detached' })
  assert.equal(await page.locator('.trouble').count(), 0)
})

test('who is forgotten in one tab is gone from all of them, and is told nothing more', async () => {
  const page = await player(browser, server.url, 'Ada')
  const tab = await page.context().newPage()
  await tab.goto(`${server.url}/settings`)
  await tab.evaluate(() =>
    localStorage.setItem('playledger.note.push', '"01900000-0000-7000-8000-000000000001"'),
  )
  await tab.getByRole('button', { name: 'Sign out on this device' }).click()
  const ended = tab.waitForRequest(
    (request) => request.method() === 'DELETE' && request.url().includes('/v1/me/pushes/'),
  )
  await tab.getByRole('button', { name: 'Yes, sign out' }).click()
  await ended
  for (const one of [tab, page]) await one.locator('.first #name').waitFor()
})

test('who came back by a code, and was cut off before the name was heard, is known all the same', async () => {
  const page = await player(browser, server.url, 'Ada')
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('playledger.session'))
    localStorage.setItem('playledger.session', JSON.stringify({ ...session, player: { id: '', name: null } }))
  })
  await page.reload()
  await page.getByRole('link', { name: 'Ada' }).waitFor()
  silent(page)
})

test('a code replaces nobody: the page asks by name, and keeps who played before', async () => {
  const attacker = await player(browser, server.url, 'Mallory')
  const { code } = await ask(attacker, 'POST', '/v1/me/links')
  const page = await player(browser, server.url, 'Ada')
  const before = await page.evaluate(() => localStorage.getItem('playledger.session'))
  await page.goto(`${server.url}/code#${code}`)
  await page.getByText('You are playing as Ada.').waitFor()
  await page.getByText('This code came from a link.').waitFor()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Play as Mallory?' }).waitFor()
  assert.equal(await page.evaluate(() => localStorage.getItem('playledger.session')), before)
  await page.getByRole('button', { name: 'Keep playing as Ada' }).click()
  await page.locator('.home').waitFor()
  assert.equal(await page.evaluate(() => localStorage.getItem('playledger.session')), before)
  assert.equal(await page.evaluate(() => localStorage.getItem('playledger.kept')), null)
  const again = (await ask(attacker, 'POST', '/v1/me/links')).code
  await page.goto(`${server.url}/code#${again}`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Play as Mallory' }).click()
  await page.getByRole('link', { name: 'Mallory' }).waitFor()
  await page.goto(`${server.url}/settings`)
  await page.getByRole('button', { name: 'Play as Ada' }).click()
  await page.getByRole('link', { name: 'Ada' }).waitFor()
  assert.equal(await page.evaluate(() => localStorage.getItem('playledger.session')), before)
  silent(page)
})

test('a link in the page asks for nothing but what it names', async () => {
  const page = await player(browser, server.url, 'Ada')
  const asked = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  for (const link of ['rules/..%2Fplayers%2FID%3F', 'check/..%2F..%2Fhealth%2Fready']) {
    await page.goto(`${server.url}/${link}`)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
  }
  assert.deepEqual(
    asked.filter((path) => /^\/(v1\/players|health)/.test(path)),
    [],
  )
})

test('who goes on as before after a recovery code was used loses neither account', async () => {
  const other = await player(browser, server.url, 'Mallory')
  const recovery = await other.evaluate(() => JSON.parse(localStorage.getItem('playledger.session')).recovery)
  const page = await player(browser, server.url, 'Ada')
  await page.goto(`${server.url}/code`)
  await page.locator('#code').fill(recovery)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Keep playing as Ada' }).click()
  await page.locator('.home').waitFor()
  await page.goto(`${server.url}/settings`)
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('playledger.kept')))
  await page.getByText(kept[0].recovery).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Sign out Mallory' }).count(), 0)
  await page.getByRole('button', { name: 'Play as Mallory' }).click()
  await page.getByRole('link', { name: 'Mallory' }).waitFor()
  silent(page)
})
