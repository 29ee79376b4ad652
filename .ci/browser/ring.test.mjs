// Ecopolis on its ring: trades, and squares with their details.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api, browser, open, pair, player, server, silent, steps, view } from './support.mjs'

open()

/** Returns two players at the ring, the one to act first, with their territories. */
async function ring(options) {
  const { pages, page } = await pair({ game: 'Ecopolis', ...options })
  const { state, viewer } = await view(page)
  const of = (seat) => state.territories.filter(({ owner }) => owner === seat).map(({ id }) => id)
  return { pages, page, own: of(viewer.seat), theirs: of(1 - viewer.seat) }
}

const catalogue = (page) => page.evaluate(async () => (await fetch('/v1/rulesets/ecopolis/catalogue')).json())

test('a trade that is undone is there again, to be changed', async () => {
  const { page } = await ring()
  await page.getByRole('button', { name: /^Propose a trade/ }).click()
  await page.locator('#give-euros').fill('300')
  await page.locator('#take-credits').fill('2')
  await page.locator('#take-credits').press('Tab')
  await page.getByRole('button', { name: 'Propose', exact: true }).click()
  await steps(page).first().waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.waitForFunction(() => document.querySelector('#give-euros')?.value === '300')
  await page.getByRole('button', { name: 'Propose', exact: true }).click()
  await steps(page).first().waitFor()
  await page.reload()
  await steps(page).first().waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.waitForFunction(() => document.querySelector('#give-euros')?.value === '300')
  await page.getByRole('button', { name: 'Propose', exact: true }).click()
  await page.getByRole('button', { name: /^Send/ }).click()
  await page.locator('.draft').waitFor({ state: 'detached' })
  await page.locator('.offer-shown').waitFor()
})

test('a trade that was offered and rejected leaves no form behind', async () => {
  const { page, pages } = await ring()
  const other = pages.find((one) => one !== page)
  await page.getByRole('button', { name: /^Propose a trade/ }).click()
  await page.locator('#give-euros').fill('300')
  await page.locator('#take-credits').fill('2')
  await page.getByRole('button', { name: 'Propose', exact: true }).click()
  await page.getByRole('button', { name: /^Send/ }).click()
  await other.getByRole('button', { name: /^Reject:/ }).click()
  await other.getByRole('button', { name: /^Send/ }).click()
  await page.getByRole('button', { name: /^Propose a trade/ }).waitFor()
  assert.equal(await page.locator('.deal').count(), 0)
})

test('a trade is put together on the ring, and all that is wrong with it is said', async () => {
  const { pages, page, own, theirs } = await ring()
  await page.getByRole('button', { name: /^Propose a trade/ }).click()
  const { squares, territories } = await catalogue(page)
  assert.equal(squares.length, 40)
  const nameOf = (id) => territories.find((one) => one.id === id).name
  const onRing = (id) =>
    page.locator('.board').getByRole('button', { name: `${nameOf(id)}: add to the trade` })
  const offer = page.getByRole('button', { name: 'Propose', exact: true })
  const wrong = page.locator('.verdict .wrong')
  await wrong.getByText('Each side must give something.').waitFor()
  await onRing(own[0]).click()
  await onRing(theirs[0]).focus()
  await page.keyboard.press('Enter')
  await page.locator('.verdict .well').waitFor()
  assert.equal(await onRing(own[0]).getAttribute('aria-pressed'), 'true')
  assert.equal(await page.locator('.side-of-deal input:checked').count(), 2, 'the ticks say the same')
  assert.equal(await offer.isEnabled(), true)
  silent(...pages)
  await onRing(theirs[0]).click()
  await page.locator('#take-credits').fill('1')
  await page.locator('#take-credits').press('Tab')
  await page.locator('.side-of-deal .chip').first().click()
  await page.waitForFunction(() => document.querySelectorAll('.verdict .wrong a').length === 2)
  assert.deepEqual(
    await wrong.getByRole('link').allTextContents(),
    ['CO-8.2', 'CO-8.2'],
    'cards that are not matched, and rents',
  )
  assert.equal(await offer.isEnabled(), false)
  await page.getByText(/^Balance after the trade/).waitFor()
})

test('on a telephone a square that is pressed is read in the strip', async () => {
  const { page } = await ring({ viewport: { width: 360, height: 740 } })
  const { territories } = await catalogue(page)
  for (const { name, square } of [
    territories.find(({ id }) => id === 'carpi'),
    territories.find(({ id }) => id === 'vignola'),
  ]) {
    await page.locator('.board .territory', { has: page.locator('title', { hasText: name }) }).click()
    await page.waitForFunction((at) => {
      const { left, right } = document.querySelector('.strip').children[at].getBoundingClientRect()
      return left >= 0 && right <= innerWidth
    }, square)
  }
})

/** Two players at a table without signatures, so that a test can send commands of its own. */
async function unsigned() {
  const pages = [await player(browser, server.url, 'Ada'), await player(browser, server.url, 'Bruno')]
  const table = { ruleset: 'ecopolis', seats: 2, clock: null, options: { first_seat: 0 } }
  const { id, invite } = await api(pages[0], 'POST', '/games', table)
  await api(pages[1], 'POST', `/games/${id}/seats`, { invite })
  for (const page of pages) {
    await page.goto(`${server.url}/games/${id}`)
    await page.locator('.table').waitFor()
  }
  return { id, pages }
}

/** Plays until the view of a player who decides is as wanted. Buys what it can. Returns the page of the player. */
async function until({ id, pages }, wanted) {
  for (let turns = 0; turns < 400; turns += 1) {
    for (const page of pages) {
      const { state, legal, seq } = await api(page, 'GET', `/games/${id}/view?with=legal`)
      if (legal.turn && wanted(state)) return page
      const named = (type) => legal.commands.find(({ command }) => command.type === type)?.command
      const command =
        named('roll') ?? named('buy_territory') ?? named('end_turn') ?? legal.commands[0]?.command
      if (legal.turn) await api(page, 'POST', `/games/${id}/commands`, { expected_seq: seq, command })
    }
  }
  assert.fail('it never came to it')
}

/** Waits until the view is as wanted, and returns it. */
async function reached({ id }, page, wanted, meanwhile = () => page.waitForTimeout(50)) {
  for (const end = Date.now() + 20_000; Date.now() < end;) {
    const view = await api(page, 'GET', `/games/${id}/view`)
    if (wanted(view)) return view
    await meanwhile()
  }
  assert.fail(`it never came to it: ${await page.locator('body').innerText()}`)
}

/** Sends the draft, unless the move was sent at once. Returns the view after it. */
const sent = (table, page, { seq: before }) =>
  reached(
    table,
    page,
    ({ seq }) => seq > before,
    () =>
      page
        .getByRole('button', { name: /^Send/ })
        .click({ timeout: 500 })
        .catch(() => null),
  )

test('two cards that are pressed are swapped', async () => {
  const table = await unsigned()
  const page = await until(table, ({ turn }) => turn.exchange === 'passing')
  const before = await api(page, 'GET', `/games/${table.id}/view`)
  await page.getByRole('button', { name: /^Swap two cards/ }).click()
  const cards = page.locator('.chooses button')
  const swap = page.getByRole('button', { name: 'Swap', exact: true })
  await page.getByText('Choose 2 cards.').waitFor()
  await cards.nth(0).click()
  assert.equal(await swap.isEnabled(), false)
  await cards.nth(2).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Two cards chosen.').waitFor()
  // A third card takes the place of the first.
  await cards.nth(4).click()
  const chosen = await cards.evaluateAll((all) => all.map((one) => one.getAttribute('aria-pressed')))
  assert.deepEqual(chosen, ['false', 'false', 'true', 'false', 'true', 'false'])
  await swap.click()
  const { state } = await sent(table, page, before)
  assert.equal(state.seats[state.turn_seat].hand.length, 6)
  silent(...table.pages)
})

test('an offer is answered with another one, on a telephone', async () => {
  const { pages, page } = await ring({ viewport: { width: 390, height: 844 } })
  const other = pages.find((one) => one !== page)
  await page.getByRole('button', { name: /^Propose a trade/ }).click()
  await page.locator('#give-euros').fill('300')
  await page.locator('#take-credits').fill('2')
  await page.locator('#take-credits').press('Tab')
  await page.getByRole('button', { name: 'Propose', exact: true }).click()
  await page.getByRole('button', { name: /^Send/ }).click()
  await other.getByRole('button', { name: /^Make a counter-offer/ }).click()
  assert.equal(await other.locator('#take-euros').inputValue(), '300', 'it begins with the offer')
  await other.locator('#take-euros').fill('500')
  await other.locator('#take-euros').press('Tab')
  await other.getByRole('button', { name: 'Propose', exact: true }).click()
  await other.getByRole('button', { name: /^Send/ }).click()
  await page.getByText(/^Counter-offer by/).waitFor()
  assert.equal(await page.getByRole('button', { name: /^Make a counter-offer/ }).count(), 0)
  await page.getByRole('button', { name: /^Accept:/ }).click()
  await page.getByRole('button', { name: /^Send/ }).click()
  await page.locator('.offer-shown').waitFor({ state: 'detached' })
  const id = page.url().match(/games\/([^@]+)/)[1]
  await reached({ id }, page, ({ state: { seats } }) => seats.some(({ euros }) => euros === 6_000))
  silent(...pages)
})

test('a debt is paid with one press', async () => {
  const table = await unsigned()
  const page = await until(table, ({ phase }) => phase === 'debt')
  await page.locator('.payments').getByText(/owes/).waitFor()
  const before = await api(page, 'GET', `/games/${table.id}/view`)
  const owed = Math.max(before.state.debt.credits, before.state.debt.euros)
  await page.locator('.payments .command').first().click()
  const { state } = await sent(table, page, before)
  assert.ok(state.debt === null || state.debt.credits < owed || state.debt.euros < owed)
  silent(...table.pages)
})
