// A report in two presses, the operator's act on it, and the message that the suspended player gets.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { browser, open, pair, person, player, serve, server, silent } from './support.mjs'
import { accessible, fits } from './seen.mjs'

open()

/** Runs `playledger admin` where the key of a server is. */
const admin = (of, ...args) =>
  JSON.parse(
    execFileSync(process.env.PLAYLEDGER ?? 'target/debug/playledger', [
      ...['admin', '--json', '--server', of.url, '--database', path.join(of.folder, 'games.db')],
      ...args,
    ]),
  )

/** Opens the page of an operator. */
async function operator(of) {
  const { secret } = admin(of, 'add-token', 'Bea', '--reason', 'Helps on weekends')
  const page = await person(browser, of.url)
  await page.goto(`${of.url}/admin`)
  await page.getByLabel('Operator token').fill(secret)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Reports' }).waitFor()
  return page
}

test('a message is reported in two presses, and its writer is suspended', async () => {
  const { pages, page, other } = await pair()
  await other.getByRole('tab', { name: /Messages/ }).click()
  await other.getByRole('textbox', { name: 'Message' }).fill('Rude words')
  await other.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('tab', { name: /Messages/ }).click()
  await page.getByRole('button', { name: /^Report the message/ }).click()
  await page.getByRole('button', { name: 'Insult or threat' }).click()
  await page.getByText('Reported. The operator will look at it.').waitFor()
  await fits(page)
  await accessible(page)

  const bea = await operator(server)
  await bea.getByText('Rude words').waitFor()
  const ban = bea.locator('li', { hasText: 'Rude words' }).getByRole('button', { name: 'Ban' })
  assert.equal(await ban.isDisabled(), true, 'an act needs a reason')
  await bea.getByLabel('Reason, which everyone can read').fill('Insults')
  await ban.click()
  await bea.locator('li', { hasText: 'ban' }).filter({ hasText: 'Insults' }).first().waitFor()
  await bea.locator('li', { hasText: 'Rude words' }).getByRole('button', { name: 'Close' }).click()
  await bea.getByText('Rude words').waitFor({ state: 'detached' })
  await accessible(bea)
  await bea.setViewportSize({ width: 390, height: 844 })
  await fits(bea)

  await other.reload()
  await other.getByText('The operator of this server has suspended your account.').first().waitFor()
  await other.getByRole('link', { name: 'Why?' }).click()
  await other.getByText('Insults').waitFor()
  assert.equal(pages.length, 2)
})

test('a player is blocked at the table and unblocked in the settings, and takes its data along', async () => {
  const { page, pages } = await pair()
  await page.getByRole('tab', { name: /Messages/ }).click()
  await page.getByRole('button', { name: /^Block / }).click()
  await page.getByRole('button', { name: /^Unblock / }).waitFor()
  await page.goto(`${server.url}/settings`)
  await page.getByRole('heading', { name: 'Blocked players' }).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  assert.equal((await download).suggestedFilename(), 'playledger.json')
  await page.getByRole('button', { name: 'Unblock', exact: true }).click()
  await page.getByRole('heading', { name: 'Blocked players' }).waitFor({ state: 'detached' })
  silent(...pages)
})

test('a server by invitation asks for the code, and shows its notice and links', async () => {
  const flags = [
    '--registration',
    'invited',
    '--instance-name',
    'The club',
    '--contact-url',
    'mailto:a@b.example',
  ]
  const club = await serve({ flags })
  try {
    const { secret } = admin(club, 'invite', '--reason', 'A friend')
    admin(club, 'notice', 'We stop at ten.', '--reason', 'A new disk')
    const page = await person(browser, club.url)
    await page.getByText('We stop at ten.').waitFor()
    await page.getByRole('link', { name: 'Contact' }).waitFor()
    await page.getByText('The club').waitFor()
    await page.locator('#name').fill('Ada')
    await page.getByLabel('Invitation code').fill(secret)
    await page.getByRole('button', { name: 'Continue without a game' }).click()
    await page.locator('.home').waitFor()
    await page.getByRole('button', { name: 'Got it' }).click()
    await page.getByText('We stop at ten.').waitFor({ state: 'detached' })
    silent(page)

    admin(club, 'registration', 'closed', '--reason', 'Full')
    const late = await person(browser, club.url)
    await late.getByText('This server accepts no new players at the moment.').waitFor()
    silent(late)
  } finally {
    await club.end()
  }
})

test('everyone can read what operators did', async () => {
  const page = await player(browser, server.url, 'Carol')
  admin(server, 'notice', '--reason', 'Nothing to say')
  await page.goto(`${server.url}/admin`)
  await page.getByText('Nothing to say').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Ban' }).count(), 0)
  await accessible(page)
  silent(page)
})
