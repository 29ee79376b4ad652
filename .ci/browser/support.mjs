// A server for each test, and players with browsers that must not report errors.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before } from 'node:test'
import { chromium } from 'playwright-core'

const BINARY = process.env.PLAYLEDGER ?? 'target/debug/playledger'

/** Starts a server, on the database of an earlier one if given. */
export async function serve({
  folder = mkdtempSync(path.join(tmpdir(), 'playledger-')),
  port = 0,
  flags = [],
} = {}) {
  const free = {
    REQUESTS_PER_SECOND: '0',
    PLAYERS_OF_CLIENT: '0',
    GAMES_A_DAY: '0',
    LOG_FORMAT: 'off',
    LISTEN: `127.0.0.1:${port}`,
  }
  const env = Object.fromEntries(Object.entries(free).map(([name, value]) => [`PLAYLEDGER_${name}`, value]))
  const child = spawn(BINARY, ['--database', path.join(folder, 'games.db'), ...flags], {
    env: { ...process.env, ...env },
  })
  const url = await new Promise((done, failed) => {
    let said = ''
    child.stdout.on('data', (data) => {
      said += data
      const found = said.match(/listens on (http:\S+?)\/?\n/)
      if (found) done(found[1])
    })
    child.on('exit', () => failed(new Error(`the server ended: ${said}`)))
  })
  // A failed test must not leave its server behind.
  process.once('exit', () => child.kill('SIGKILL'))
  child.unref()
  child.stdout.unref()
  child.stderr.destroy()
  const kill = () => new Promise((done) => (child.once('exit', done), child.kill('SIGKILL')))
  return {
    url,
    folder,
    port: Number(new URL(url).port),
    kill,
    end: async () => (await kill(), rmSync(folder, { recursive: true })),
  }
}

export const browse = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })

/** The browser and the server of a test file. */
export let browser, server

/** Has them there before the tests of the file, and gone after them. */
export function open(of = {}) {
  before(async () => ([browser, server] = await Promise.all([browse(), serve(of)])))
  after(async () => {
    await browser.close()
    await server.end()
  })
}

/** Opens a browser for a person. `complaints` collects its errors. */
export async function person(browser, url, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    // Moves of others are shown at once. A test of their playback asks for motion.
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  page.complaints = []
  page.on(
    'console',
    (message) =>
      ['error', 'warning'].includes(message.type()) &&
      page.complaints.push(`${message.text()} ${message.location().url}`),
  )
  page.on('pageerror', (error) => page.complaints.push(String(error.stack)))
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url()))
      page.complaints.push(`asked another host: ${request.url()}`)
  })
  await page.goto(`${url}/`)
  return page
}

/** Returns the replay of an ended game, once its end is in the public tree. */
export async function proved(url, id) {
  for (const until = Date.now() + 60_000; Date.now() < until;) {
    const replay = await (await fetch(`${url}/v1/games/${id}/replay`)).text()
    if (JSON.parse(replay).proofs.length > 0) return replay
  }
  throw new Error(`the end of ${id} did not come to stand in the tree`)
}

/** Waits for the result of a game. Otherwise fails with the shown text. */
export async function ended(page) {
  await page
    .locator('.result')
    .waitFor()
    .catch(async (cause) => {
      const shown = await page.locator('body').innerText()
      throw new Error(`no result at ${page.url()}: ${page.complaints.join('\n')}\n${shown}`, { cause })
    })
}

/** Returns a new player at home. */
export async function player(browser, url, name, options) {
  const page = await person(browser, url, options)
  await page.locator('#name').fill(name)
  await page.getByRole('button', { name: /^(Continue without a game|Entra senza giocare)$/ }).click()
  await page.locator('.home').waitFor()
  return page
}

/** Sets up a table by the form at home, and gives its link. */
export async function host(page, { game = 'Industrial Waste', seats = 2 } = {}) {
  await page.locator('.lid-choice', { hasText: game }).click()
  await page.locator('.choices label', { hasText: new RegExp(`^${seats}$`) }).click()
  await page.getByRole('button', { name: /^(Create table|Crea il tavolo)$/ }).click()
  return page.locator('.invite-link .code').textContent()
}

/** Unfolds the rest of the form of a new table. */
export const more = (page) => page.locator('.new-table summary').click()

/** Sits down by a link. */
export async function join(page, link) {
  await page.goto(link)
  await page.getByRole('button', { name: /^(Join|Unisciti)$/ }).click()
  await page.locator('.table').waitFor()
}

/** Returns a table of these players, each in its own browser. */
export async function table(names, { game, options } = {}) {
  const pages = []
  for (const name of names) pages.push(await player(browser, server.url, name, options))
  const link = await host(pages[0], { game, seats: names.length })
  for (const page of pages.slice(1)) await join(page, link)
  await begun(pages)
  return pages
}

/** Returns two players of a running game, the one to act first. */
export async function pair({ game, ...options } = {}) {
  const pages = await table(['Ada', 'Bruno'], { game, options })
  const page = await onTurn(pages)
  return { pages, page, other: pages.find((one) => one !== page) }
}

/** Returns the steps of the draft. */
export const steps = (page) => page.getByRole('list', { name: 'Draft' }).getByRole('listitem')

/** Returns the newest view of a table for this page. */
export const view = (page) =>
  page.evaluate(async () => {
    const id = location.pathname.split('/')[2].split('@')[0]
    const { token } = JSON.parse(localStorage.getItem('playledger.session'))
    const answer = await fetch(`/v1/games/${id}/view?words=true&with=legal`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return answer.json()
  })

/** Sends a request as the player of a page. */
export const api = (page, method, path, body = null) =>
  page.evaluate(
    async ([method, path, body]) => {
      const { token } = JSON.parse(localStorage.getItem('playledger.session'))
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      return (await fetch(`/v1${path}`, { method, headers, body: body && JSON.stringify(body) })).json()
    },
    [method, path, body],
  )

/** Returns the receipts in a browser. */
export const receipts = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        indexedDB.open('playledger').onsuccess = ({ target: { result } }) => {
          result.transaction('receipts').objectStore('receipts').getAll().onsuccess = ({ target }) =>
            done(target.result.map(({ note }) => note))
        }
      }),
  )

/** Waits until the game has begun for all. */
export const begun = (pages) =>
  Promise.all(pages.map((page) => page.locator('.tray').waitFor({ timeout: 20_000 })))

/** Returns the page of the player to act, once it shows that. */
export async function onTurn(pages) {
  const {
    to_act: [seat],
    status,
    seq,
  } = await view(pages[0])
  if (status !== 'running') return null
  const page = pages[seat]
  await page.waitForFunction((newest) => document.querySelector('.scrubber input')?.max >= newest, seq)
  return page
}

export const silent = (...pages) =>
  assert.deepEqual(
    pages.flatMap((page) => page.complaints),
    [],
  )
