// What happens elsewhere: on another device, in another tab, at a server that has no time, and behind its gate.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { begun, browser, host, join, open, pair, person, player, receipts, server, silent, steps, view } from './support.mjs'

open()

const column = (page) => page.locator('#tray').getByRole('button', { name: /^Take column/ }).first()
const note = (page) => page.getByLabel('Only you see your notes.')

/** What the API says to whoever plays in this browser. */
const ask = (page, method, path) => page.evaluate(async ([method, path]) => {
  const { token } = JSON.parse(localStorage.getItem('playledger.session'))
  return (await fetch(path, { method, headers: { authorization: `Bearer ${token}` } })).json()
}, [method, path])

const game = (page) => page.url().split('/').at(-1)

async function send(page) {
  await page.getByRole('button', { name: /^Send/ }).click()
  await page.locator('.draft').waitFor({ state: 'detached' })
}

test('a table that stays open is told that another device signs for its seat, and takes the seat back', async () => {
  const { pages, page } = await pair()
  const { code } = await ask(page, 'POST', '/v1/me/links')
  const device = await person(browser, server.url)
  await device.goto(`${server.url}/#/code/${code}`)
  await device.getByRole('button', { name: 'Sign in' }).click()
  await device.locator('.home').waitFor()
  await device.goto(page.url())
  const takes = (one) => one.getByRole('button', { name: 'Play on this device' })
  await takes(device).click()
  await takes(page).waitFor()
  await column(page).click()
  await send(page)
  await takes(device).waitFor()
  assert.equal(await takes(page).count(), 0)
  silent(device, ...pages)
})

test('a device that can sign nothing, as one without TLS, takes the seat over and plays', async () => {
  const { pages, page } = await pair()
  const { code } = await ask(page, 'POST', '/v1/me/links')
  const device = await person(browser, server.url)
  await device.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined }))
  await device.goto(`${server.url}/#/code/${code}`)
  await device.reload()
  await device.getByRole('button', { name: 'Sign in' }).click()
  await device.locator('.home').waitFor()
  await device.goto(page.url())
  await device.getByRole('button', { name: 'Play on this device' }).click()
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

test('who reveals what was promised has the receipt of the seal', async () => {
  const { pages } = await pair()
  for (const [seat, page] of pages.entries()) {
    const { items } = await ask(page, 'GET', `/v1/games/${game(page)}/log?limit=100`)
    const seqOf = (type, of) => items.find(({ body }) => body.type === type && (of === undefined || body.seat === of)).body.seq
    const kept = await receipts(page)
    const inHand = kept.map((receipt) => receipt.split('\n')).filter(([, id, seq]) => id === game(page) && seq >= seqOf('seal') && seq < seqOf('reveal', seat))
    assert.equal(inHand.length, 1, kept.join('\n'))
    assert.equal(inHand[0][3], items[inHand[0][2]].head)
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
  await page.getByRole('tab', { name: /Messages/ }).locator('.count').waitFor()
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
  await tab.goto(`${server.url}/#/settings`)
  await tab.evaluate(() => localStorage.setItem('playledger.note.push', '"01900000-0000-7000-8000-000000000001"'))
  await tab.getByRole('button', { name: 'Sign out on this device' }).click()
  const ended = tab.waitForRequest((request) => request.method() === 'DELETE' && request.url().includes('/v1/me/pushes/'))
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
  await page.goto(`${server.url}/#/code/${code}`)
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
  await page.goto(`${server.url}/#/code/${again}`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Play as Mallory' }).click()
  await page.getByRole('link', { name: 'Mallory' }).waitFor()
  await page.goto(`${server.url}/#/settings`)
  await page.getByRole('button', { name: 'Play as Ada' }).click()
  await page.getByRole('link', { name: 'Ada' }).waitFor()
  assert.equal(await page.evaluate(() => localStorage.getItem('playledger.session')), before)
  silent(page)
})

test('a link in the page asks for nothing but what it names', async () => {
  const page = await player(browser, server.url, 'Ada')
  const asked = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  for (const link of ['#/rules/..%2Fplayers%2FID%3F', '#/check/..%2F..%2Fhealth%2Fready']) {
    await page.goto(`${server.url}/${link}`)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
  }
  assert.deepEqual(asked.filter((path) => /players|health/.test(path)), [])
})

test('who goes on as before after a recovery code was used loses neither account', async () => {
  const other = await player(browser, server.url, 'Mallory')
  const recovery = await other.evaluate(() => JSON.parse(localStorage.getItem('playledger.session')).recovery)
  const page = await player(browser, server.url, 'Ada')
  await page.goto(`${server.url}/#/code`)
  await page.locator('#code').fill(recovery)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Keep playing as Ada' }).click()
  await page.locator('.home').waitFor()
  await page.goto(`${server.url}/#/settings`)
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('playledger.kept')))
  await page.getByText(kept[0].recovery).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Sign out Mallory' }).count(), 0)
  await page.getByRole('button', { name: 'Play as Mallory' }).click()
  await page.getByRole('link', { name: 'Mallory' }).waitFor()
  silent(page)
})
