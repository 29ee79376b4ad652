// A lone player: a bot joins at once, and is marked as such.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, open, person, player, server, view } from './support.mjs'

open()

/** Waits until the table waits for this player, or is over. */
const myTurn = async (page) => {
  for (;;) {
    const now = await view(page)
    if (now.status !== 'running' || (now.legal.commands.length > 0 && now.to_act[0] === now.viewer.seat))
      return now
    await page.waitForTimeout(50)
  }
}

test('the first button of the first visit is a game against the machine', async () => {
  const page = await person(browser, server.url)
  await page.locator('#name').fill('Ada')
  await page.getByRole('button', { name: 'Play a bot' }).click()
  await page.locator('.table').waitFor()
  await myTurn(page)
  await page.locator('.mat .tag', { hasText: 'bot, medium' }).waitFor()
  assert.deepEqual(page.complaints, [])
  await page.context().close()
})

test('machines sit where they are asked to, and come and go while the table is open', async () => {
  const page = await player(browser, server.url, 'Bea')
  await page.locator('.lid-choice', { hasText: 'Ecopolis' }).click()
  await page.locator('.choices label', { hasText: /^4$/ }).click()
  await page.locator('#seat-3').selectOption('hard')
  await page.getByRole('button', { name: 'Create table' }).click()
  const sitting = page.locator('.sitting li')
  await sitting.filter({ hasText: 'bot, hard' }).waitFor()
  await page.getByLabel('Add a bot').selectOption('easy')
  await page.getByRole('button', { name: 'Add' }).click()
  await sitting.filter({ hasText: 'bot, easy' }).waitFor()
  await page
    .getByRole('button', { name: /^Remove / })
    .first()
    .click()
  await sitting.filter({ hasText: 'bot, easy' }).waitFor({ state: 'detached' })
  const letSit = page.getByRole('button', { name: 'Add' })
  await letSit.click()
  await sitting.filter({ hasText: 'bot' }).nth(1).waitFor()
  await letSit.click()
  await page.locator('.tray').waitFor()
  const now = await myTurn(page)
  assert.equal(now.status, 'running')
  assert.deepEqual(page.complaints, [])
  await page.context().close()
})

test('every position can be played on from, and the game knows nothing of it', async () => {
  const page = await player(browser, server.url, 'Cleo')
  await page.locator('.lid-choice', { hasText: 'Ecopolis' }).click()
  await page.locator('#seat-2').selectOption('easy')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.locator('.tray').waitFor()
  const before = await myTurn(page)
  await page.getByRole('button', { name: 'Play on from here' }).click()
  await page.getByText('Only you see it').waitFor()
  for (let n = 0; n < 4; n++) {
    const command = page.locator('.tray .command:visible').first()
    await command.click()
    await page.locator('.log-body li').nth(n).waitFor()
  }
  await page.getByLabel('Other players').selectOption('')
  await page.waitForFunction(() => document.querySelector('#others')?.value === '')
  await page.getByRole('link', { name: 'Back to the game' }).click()
  await page.locator('.scrubber').waitFor()
  assert.equal((await myTurn(page)).seq, before.seq)
  assert.deepEqual(page.complaints, [])
  await page.context().close()
})
