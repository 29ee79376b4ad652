// Mishaps of real players: two devices, many tabs, double clicks, held keys, lost answers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  begun,
  browser,
  host,
  join,
  more,
  open,
  pair,
  person,
  player,
  server,
  silent,
  steps,
  view,
} from './support.mjs'

open()

/** Holds requests back until they are released, and records them. */
async function hold(page, pattern) {
  const sent = []
  let answer
  const held = new Promise((done) => (answer = done))
  await page.route(pattern, (route) => (sent.push(route.request().url()), held.then(() => route.continue())))
  return { sent, answer }
}

/** Returns the number of drafts in the browser. */
const keptDrafts = (page) =>
  page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('draft')).length)

const column = (page) =>
  page
    .locator('#tray')
    .getByRole('button', { name: /^Take column/ })
    .first()

test('six tabs of one browser live beside each other', async () => {
  const { page, other } = await pair()
  const tabs = []
  for (let no = 0; no < 6; no += 1) {
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await tab.locator('.tray').waitFor()
    tabs.push(tab)
  }
  const last = tabs.at(-1)
  await last.bringToFront()
  await column(last).click()
  await last.getByRole('button', { name: /^Send/ }).click()
  await last.locator('.draft').waitFor({ state: 'detached' })
  await other.locator('.prompt.mine').waitFor()
  silent(page, other)
})

test('a double click is one move, and a key held down plays nothing', async () => {
  const { page, pages } = await pair()
  const { seq } = await view(page)
  await column(page).dblclick()
  await steps(page).first().waitFor()
  assert.equal(await steps(page).count(), 1)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.locator('.draft').waitFor({ state: 'detached' })
  await column(page).focus()
  await page.keyboard.down('Enter')
  await steps(page).first().waitFor()
  for (let no = 0; no < 5; no += 1) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  assert.equal((await view(page)).seq, seq)
  silent(...pages)
})

test('what others do while a move is on its way is no reason to try that move again', async () => {
  const { page, other, pages } = await pair()
  const { seq } = await view(page)
  const know = (count) =>
    page.waitForFunction((least) => Number(document.querySelector('.scrubber input').max) >= least, count)
  await column(page).click()
  const { answer } = await hold(page, /events\?words=true&limit/)
  await page.getByRole('button', { name: /^Send/ }).click()
  await know(seq + 1)
  await other.locator('.prompt.mine').waitFor()
  await column(other).click()
  await other.getByRole('button', { name: /^Send/ }).click()
  await know(seq + 2)
  answer()
  await page.locator('.draft').waitFor({ state: 'detached' })
  silent(...pages)
})

test('what is pressed again before it is answered is asked for once', async () => {
  const page = await person(browser, server.url)
  const { sent, answer } = await hold(page, /v1\/players$/)
  await page.getByLabel('Your name').fill('Ada')
  await page.getByRole('button', { name: 'Continue without a game' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  assert.equal(
    await page.getByRole('button', { name: 'Continue without a game' }).getAttribute('aria-disabled'),
    'true',
  )
  answer()
  await page.locator('.home').waitFor()
  assert.equal(sent.length, 1)
  silent(page)
})

test('nothing is sent while one looks at the past, and the draft is there when one is back', async () => {
  const { page, pages } = await pair()
  const { seq } = await view(page)
  await column(page).click()
  await steps(page).first().waitFor()
  await page.keyboard.press('Home')
  await page.getByText('Move 0 of').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('u')
  await page.keyboard.press('Escape')
  await steps(page).first().waitFor()
  assert.equal((await view(page)).seq, seq)
  await page.goto(`${page.url().split('@')[0]}@99999`)
  await page.locator('.prompt:not(.in-past)').waitFor()
  silent(...pages)
})

test('a link to a rule opens it beside the table, and the draft stays', async () => {
  const { page, pages } = await pair()
  await column(page).click()
  await steps(page).first().waitFor()
  await page.getByRole('tab', { name: 'Rules' }).click()
  await page.locator('.rules-panel a').first().click()
  await page.getByRole('tab', { name: 'Rules', selected: true }).waitFor()
  assert.equal(await steps(page).count(), 1)
  silent(...pages)
})

test('a table is there in the end, also when the first answer was lost', async () => {
  const { page } = await pair()
  const visitor = await player(browser, server.url, 'Chiara')
  let lost = 2
  await visitor.route(/\/view\?/, (route) => (lost-- > 0 ? route.abort() : route.continue()))
  await visitor.goto(page.url())
  await visitor.locator('.board').waitFor()
  assert.deepEqual(
    visitor.complaints.filter((text) => !/ERR_FAILED/.test(text)),
    [],
  )
})

test('a public table takes who comes by its link without a name yet', async () => {
  const ada = await player(browser, server.url, 'Ada')
  await more(ada)
  await ada.locator('.choices label', { hasText: 'everyone' }).click()
  const link = await host(ada)
  const visitor = await person(browser, link)
  await visitor.goto(link)
  await visitor.getByLabel('Your name').fill('Bruno')
  await visitor.getByRole('button', { name: 'Join' }).click()
  await begun([ada, visitor])
  assert.deepEqual(
    [...ada.complaints, ...visitor.complaints.filter((text) => !text.startsWith('asked another host'))],
    [],
  )
})

test('what is said is heard once, and read is read', async () => {
  const {
    pages: [ada, bruno],
  } = await pair()
  for (const page of [ada, bruno]) await page.getByRole('tab', { name: /Messages/ }).click()
  for (const text of ['one', 'two', 'three']) {
    await ada.getByLabel('Message', { exact: true }).fill(text)
    await ada.getByRole('button', { name: 'Send' }).click()
    // The author may receive the message after the other player.
    for (const page of [ada, bruno]) await page.getByText(text, { exact: true }).waitFor()
  }
  for (const page of [ada, bruno]) assert.equal(await page.locator('.messages li').count(), 3)
  assert.equal(
    await bruno
      .getByRole('tab', { name: /Messages/ })
      .locator('.count')
      .count(),
    0,
  )
  silent(ada, bruno)
})

test('a token that has ended is said, and the way back is shown', async () => {
  const ada = await player(browser, server.url, 'Ada')
  const code = await ada.locator('.keep .code').textContent()
  const device = await person(browser, server.url)
  await device.goto(`${server.url}/code`)
  await device.getByLabel(/Recovery code/).fill(code)
  await device.getByRole('button', { name: 'Sign in' }).click()
  await device.locator('.home').waitFor()
  await device.reload()
  await device.locator('.home').waitFor()
  await ada.reload()
  await ada.getByText('You were signed out').waitFor()
  await ada.getByRole('link', { name: 'I have a code' }).click()
  await ada.getByLabel(/Recovery code/).fill(await device.locator('.keep .code').textContent())
  await ada.getByRole('button', { name: 'Sign in' }).click()
  await ada.locator('.home').waitFor()
  await ada.getByText('You were signed out').waitFor({ state: 'detached' })
  // An expired token does not hide public games.
  const other = await player(browser, server.url, 'Bruno')
  await more(other)
  await other.getByText('everyone', { exact: true }).click()
  await device.goto(await host(other))
  await device.getByText('You were signed out').waitFor()
  await device.locator('.sitting', { hasText: 'Bruno' }).waitFor()
  // Also when the page starts with such a token, and sends many requests at once.
  await other.goto(`${server.url}/`)
  const link = await host(other)
  const tab = await device.context().newPage()
  await tab.goto(link)
  await tab.getByRole('heading', { name: 'You are invited' }).waitFor()
  await tab.getByText('You were signed out').waitFor()
  await tab.goto(`${server.url}/settings`)
  await tab.getByRole('button', { name: 'Sign out on this device' }).click()
  await tab.getByRole('button', { name: 'Yes, sign out' }).click()
  await tab.locator('.first #name').fill('Cyd')
  await tab.getByRole('button', { name: 'Continue without a game' }).click()
  await tab.getByRole('heading', { name: 'It is not your turn anywhere.' }).waitFor()
  await tab.getByText('You were signed out').waitFor({ state: 'detached' })
})

test('a browser that is no longer let in may look on, and keeps what is drafted', async () => {
  const { page, other } = await pair()
  await column(page).click()
  await steps(page).first().waitFor()
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('playledger.session')).token)
  const headers = { authorization: `Bearer ${token}` }
  const { items } = await (await fetch(`${server.url}/v1/me/tokens`, { headers })).json()
  await fetch(`${server.url}/v1/me/tokens/${items.find(({ current }) => current).id}`, {
    method: 'DELETE',
    headers,
  })
  await page.reload()
  await page.getByText('You were signed out').waitFor()
  await other.goto(`${server.url}/`)
  await page.goto(`${server.url}/`)
  await page.getByRole('heading', { name: 'It is not your turn anywhere.' }).waitFor()
  assert.equal(await keptDrafts(page), 1)
  await page.getByRole('button', { name: 'Continue without a name' }).click()
  await page.getByLabel('Your name').waitFor()
})

test('what is drafted outlives the page, and ends with whoever drafted it', async () => {
  const { page, other, pages } = await pair()
  await page.getByRole('button', { name: 'Borrow 10 (1 loan, −10 points)' }).click()
  await column(page).click()
  await steps(page).nth(1).waitFor()
  const drafted = await steps(page).allTextContents()
  await page.reload()
  await steps(page).nth(1).waitFor()
  assert.deepEqual(await steps(page).allTextContents(), drafted)
  // Another seat acted while no page was open.
  const table = page.url()
  await page.goto(`${server.url}/settings`)
  await other.getByRole('button', { name: 'Borrow 10 (1 loan, −10 points)' }).click()
  await other.getByRole('button', { name: /^Send/ }).click()
  await other.locator('.draft').waitFor({ state: 'detached' })
  await page.goto(table)
  await page.getByText('moved in the meantime').waitFor()
  assert.equal(await steps(page).count(), 2)
  assert.equal(await keptDrafts(page), 1)
  await page.goto(`${server.url}/settings`)
  await page.getByRole('button', { name: 'Sign out on this device' }).click()
  await page.getByRole('button', { name: 'Yes, sign out' }).click()
  await page.locator('.first').waitFor()
  assert.equal(await keptDrafts(page), 0)
  silent(...pages)
})

test('a menu closes when one presses beside it, and gives the focus back to who closes it by a key', async () => {
  const { page, pages } = await pair({ viewport: { width: 360, height: 740 } })
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.click()
  const { x, width } = await page.locator('.menu-sheet').boundingBox()
  assert.ok(x >= 0 && x + width <= 360, 'it is on the screen')
  await page.mouse.click(180, 600)
  await page.locator('.menu-sheet').waitFor({ state: 'detached' })
  await menu.press('Enter')
  await page.getByRole('button', { name: 'Resign' }).focus()
  await page.keyboard.press('Escape')
  await page.locator('.menu-sheet').waitFor({ state: 'detached' })
  assert.equal(await menu.evaluate((button) => button === document.activeElement), true)
  silent(...pages)
})

test('a browser that does not copy does not say that it did', async () => {
  const page = await player(browser, server.url, 'Ada')
  const said = async () => {
    await page.getByRole('button', { name: 'Copy' }).click()
    return page.locator('[data-said]').getAttribute('data-said')
  }
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  assert.equal(await said(), 'Copied', 'the old way')
  await page.locator('[data-said]').waitFor({ state: 'detached' })
  await page.evaluate(() => (document.execCommand = () => false))
  assert.equal(await said(), 'Copying failed')
})

test('who plays in one tab is told so in the other, and what was drafted there is gone', async () => {
  const { page, pages } = await pair()
  const tab = await page.context().newPage()
  await tab.goto(page.url())
  await column(tab).click()
  await steps(tab).first().waitFor()
  await page
    .getByRole('button', { name: /^Take column/ })
    .last()
    .click()
  await page.getByRole('button', { name: /^Send/ }).click()
  await page.locator('.draft').waitFor({ state: 'detached' })
  await tab.getByText('You played on another device.').waitFor()
  assert.equal(await steps(tab).count(), 0)
  silent(...pages)
})

test('what comes to lie under the pointer of a double click is not pressed', async () => {
  const { page, pages } = await pair()
  await page.getByRole('button', { name: 'Borrow 10 (1 loan, −10 points)' }).dblclick()
  await steps(page).first().waitFor()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  assert.deepEqual(
    (await steps(page).allTextContents()).map((text) => text.includes('loan')),
    [true],
  )
  // The board does not move when a draft begins or is given up.
  const top = () => page.locator('.board').evaluate((board) => board.getBoundingClientRect().top)
  const drafted = await top()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.locator('.draft').waitFor({ state: 'detached' })
  assert.ok(Math.abs((await top()) - drafted) < 2, 'nothing jumps')
  silent(...pages)
})

test('a move is sent though a first question was not heard, and the bar that said so goes', async () => {
  const { page } = await pair()
  const { seq } = await view(page)
  await column(page).click()
  await steps(page).first().waitFor()
  let lost = 2
  await page.route(/\/log\?/, (route) => (lost-- > 0 ? route.abort() : route.continue()))
  await page.getByRole('button', { name: /^Send/ }).click()
  await page.getByText('No connection').waitFor()
  await page.waitForFunction((before) => Number(document.querySelector('.scrubber input').max) > before, seq)
  await page.getByText('No connection').waitFor({ state: 'detached' })
  assert.deepEqual(
    page.complaints.filter((text) => !/ERR_FAILED/.test(text)),
    [],
  )
})

test('a game that ends takes what is drafted with it, and who wants a rematch is heard', async () => {
  const { page, other, pages } = await pair()
  await column(page).click()
  await steps(page).first().waitFor()
  await other.getByRole('button', { name: 'Menu' }).click()
  await other.getByRole('button', { name: 'Resign' }).click()
  await other.getByText(/^The game will end and (Ada|Bruno) will win\./).waitFor()
  await other.getByRole('button', { name: 'Yes, resign' }).click()
  await page.locator('.draft').waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: /wins: .* resigned/ }).waitFor()
  await other.getByRole('button', { name: 'Rematch' }).click()
  await page.getByText('wants a rematch. Your seat is reserved.').waitFor()
  await page.reload()
  await page.getByText('wants a rematch. Your seat is reserved.').waitFor()
  await page.getByRole('button', { name: 'Join the rematch' }).click()
  await begun(pages)
  silent(...pages)
})

test('a note is kept without being asked for', async () => {
  const { page, pages } = await pair()
  await page.getByRole('tab', { name: 'Notes' }).click()
  await page.getByLabel('Only you see your notes.').fill('Bruno likes crates')
  await page.getByText('Saved at move').waitFor()
  await page.getByLabel('Only you see your notes.').fill('Bruno likes cranes')
  await page.reload()
  await page.getByRole('tab', { name: 'Notes' }).click()
  await page.waitForFunction(() => document.querySelector('#note')?.value === 'Bruno likes cranes')
  silent(...pages)
})

test('who presses what then goes away keeps a place on the page', async () => {
  const page = await player(browser, server.url, 'Ada')
  const press = async (name) => {
    await page.getByRole('button', { name, exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name, exact: true }).waitFor({ state: 'detached' })
    assert.notEqual(await page.evaluate(() => document.activeElement.localName), 'body', name)
  }
  await press('I saved it')
  await page.goto(`${server.url}/settings`)
  await press('Create code')
  await press('Sign out on this device')
  await press('No')
  silent(page)
})

test('a link to a full table says so, makes no account, and leads on', async () => {
  const ada = await player(browser, server.url, 'Ada')
  const made = await ada.evaluate(async () => {
    const { token } = JSON.parse(localStorage.getItem('playledger.session'))
    const body = JSON.stringify({ ruleset: 'industrial-waste', seats: 2, visibility: 'unlisted' })
    return (
      await fetch('/v1/games', {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      })
    ).json()
  })
  const bruno = await player(browser, server.url, 'Bruno')
  await join(bruno, `${server.url}/invite/${made.invite}`)
  const late = await person(browser, server.url)
  await late.goto(`${server.url}/invite/${made.invite}`)
  await late.getByRole('heading', { name: 'The table is full' }).waitFor()
  assert.equal(await late.locator('#name').count(), 0)
  await late.getByRole('link', { name: 'Watch' }).click()
  await late.locator('.table').waitFor()
  assert.equal(await late.evaluate(() => localStorage.getItem('playledger.session')), null)
  silent(late)
})
