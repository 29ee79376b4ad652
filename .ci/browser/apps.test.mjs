// Apps of others: the example app, from another origin, asks the player for access, plays a game and leaves.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { accessible, fits } from './seen.mjs'
import { browser, open, player, server } from './support.mjs'

open()

/** Where the app is. @type {string} */
let app
const files = createServer((_, answer) =>
  answer.setHeader('Content-Type', 'text/html').end(readFileSync(process.env.APP ?? 'examples/app.html')),
)
before(async () => {
  await new Promise((done) => files.listen(0, '127.0.0.1', () => done(null)))
  app = `http://localhost:${files.address().port}/app.html`
})
after(() => files.close())

/** Opens the app, and lets it lead the player to the consent page. */
async function signIn(page) {
  await page.goto(app)
  await page.getByLabel('Server').fill(server.url)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${server.url}/oauth/authorize?**`)
}

test('an app from another origin signs in, plays a game, and is disconnected', async () => {
  const page = await player(browser, server.url, 'Ada')
  page.complaints.length = 0
  await signIn(page)
  await page.getByText('localhost', { exact: true }).waitFor()
  assert.equal(await page.locator('.consent-rights li').count(), 2)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Signed in as Ada').waitFor()
  assert.equal(page.url(), app, 'the code is gone from the address')

  await page.getByRole('button', { name: 'Play the machine' }).click()
  const over = page.getByText('The game is over.')
  const command = page.locator('#commands button:enabled').first()
  while (
    await over
      .or(command)
      .first()
      .waitFor()
      .then(() => command.isVisible())
  ) {
    const prompt = await page.locator('#log li').count()
    await command.click()
    await page.waitForFunction((before) => document.querySelectorAll('#log li').length > before, prompt)
  }
  assert.equal(await page.getByRole('alert').textContent(), '')

  // The player sees the app in the settings, and ends it there.
  const settings = await page.context().newPage()
  await settings.goto(`${server.url}/settings`)
  const row = settings.locator('.app', { hasText: 'localhost' })
  await row.getByRole('button', { name: 'Disconnect' }).click()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Play the machine' }).click()
  await page.waitForFunction(() => document.querySelector('#trouble').textContent !== '')
})

test('a refusal, and an answer that the app did not ask for, give no access', async () => {
  const page = await player(browser, server.url, 'Bob')
  await signIn(page)
  await page.getByRole('link', { name: 'Deny' }).click()
  await page.getByText('No access: access_denied.').waitFor()
  await page.goto(`${app}?code=plc_other&state=other&iss=${server.url}`)
  await page.getByText('This answer belongs to another sign-in.').waitFor()
  assert.equal(await page.evaluate(() => sessionStorage.getItem('tokens')), null)
})

test('whoever has no account yet gets one on the way', async () => {
  const context = await browser.newContext({ locale: 'it-IT', viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await signIn(page)
  await page.locator('#name').fill('Carla')
  await page.getByRole('button', { name: 'Continua' }).click()
  await page.getByRole('button', { name: 'Consenti' }).waitFor()
  await fits(page)
  await accessible(page)
  await page.getByRole('button', { name: 'Consenti' }).click()
  await page.getByText('Signed in as Carla').waitFor()
})

test('an address that is not the app\u2019s own gets nobody', async () => {
  const page = await player(browser, server.url, 'Dora')
  await page.goto(
    `${server.url}/oauth/authorize?response_type=code&client_id=${app}&redirect_uri=https://evil.example/&state=x`,
  )
  await page.getByRole('alert').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Allow' }).count(), 0)
  assert.equal(await page.locator('a[href*="evil.example"]').count(), 0)
})
