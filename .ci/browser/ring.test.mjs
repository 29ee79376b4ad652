// Ecopolis on its ring: trades, and squares with their details.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, pair, silent, steps, view } from './support.mjs'

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
  await page.locator('.side-of-deal select').first().selectOption({ index: 1 })
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
