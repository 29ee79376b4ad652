// A table besides its moves: four players, small screens, strange names, a server that dies, other players
// that act.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooser } from './choose.mjs'
import {
  begun,
  browser,
  host,
  join,
  onTurn,
  open,
  person,
  player,
  serve,
  server,
  silent,
  table,
  view,
} from './support.mjs'
import { accessible, fits } from './seen.mjs'

open()

/** Plays some moves, each by the player to act. */
async function moves(pages, count, seed = 3) {
  const choose = chooser(seed)
  for (let turns = 0; turns < count; turns += 1) {
    const page = await onTurn(pages)
    const { legal, seq } = await view(page)
    const words = legal.commands
      .map(({ text }) => text)
      .filter((text) => !/^swap|with an advisor/i.test(text))
    await page
      .locator('#tray')
      .getByRole('button', { name: choose(words), exact: true })
      .first()
      .click()
    const played = page.waitForFunction(
      (before) => Number(document.querySelector('.scrubber input').max) > before,
      seq,
    )
    await Promise.race([
      page
        .locator('.draft')
        .waitFor()
        .catch(() => null),
      played,
    ])
    if (await page.locator('.draft').count()) await page.getByRole('button', { name: /^Send/ }).click()
    await played
  }
}

for (const game of ['Industrial Waste', 'Ecopolis']) {
  test(`four browsers at one table of ${game}, without a finding of axe`, async () => {
    const pages = await table(['Ada', 'Bruno', 'Chiara', 'Dario'], { game })
    // Several phases, since the tray changes with them.
    for (const seed of [3, 4, 5, 6]) {
      await moves(pages, 4, seed)
      await accessible(await onTurn(pages))
    }
    for (const page of pages) assert.equal((await page.locator('.log-body > ol > li').count()) > 10, true)
    await accessible(pages[0])
    await pages[1].setViewportSize({ width: 360, height: 800 })
    await fits(pages[1])
    await accessible(pages[1])
    await pages[2].setViewportSize({ width: 2560, height: 1440 })
    await fits(pages[2])
    await pages[3].goto(`${server.url}/`)
    await pages[3].locator('.home').waitFor()
    await accessible(pages[3])
    silent(...pages)
  })
}

for (const game of ['Industrial Waste', 'Ecopolis'])
  for (const [width, height] of [
    [1024, 768],
    [1100, 820],
    [1280, 800],
    [1440, 900],
  ])
    test(`at a table of ${game} a window of ${width} by ${height} has the board, the past and the moves`, async () => {
      const pages = await table(['Ada', 'Bruno'], { game, options: { viewport: { width, height } } })
      const page = await onTurn(pages)
      const no = page.getByRole('button', { name: 'No, thanks' })
      if (await no.count()) await no.click()
      for (const part of ['.board', '.scrubber', '.tray .command']) {
        const { y, height: high } = await page.locator(part).last().boundingBox()
        assert.ok(y + high <= height, `${part} ends at ${y + high}`)
      }
      const { y: top } = await page.locator('.stage').boundingBox()
      assert.ok(top <= 130, `one line is above the board, which begins at ${top}`)
      const [board, tray] = await Promise.all(
        ['.board', '.tray'].map((part) => page.locator(part).first().boundingBox()),
      )
      assert.ok(tray.x >= board.x + board.width, 'they are side by side')
      await fits(page)
      silent(...pages)
    })

test('every other page is accessible, and fits a telephone', async () => {
  const page = await person(browser, server.url, { viewport: { width: 360, height: 800 } })
  await accessible(page)
  await page.goto(`${server.url}/code`)
  await accessible(page)
  const ada = await player(browser, server.url, 'Ada', { viewport: { width: 360, height: 800 } })
  for (const place of ['', 'games', 'settings', 'check', 'rules/ecopolis', 'games/nowhere']) {
    await ada.goto(`${server.url}/${place}`)
    await ada.locator('main').waitFor()
    await ada.waitForLoadState('networkidle').catch(() => null)
    await fits(ada)
    await accessible(ada)
  }
  silent(page, ada)
})

test('a name is text, whatever it is made of', async () => {
  const names = ['<img src=x onerror=alert(1)>', 'W'.repeat(40), 'שלום עולם', 'a"&lt;b>&amp;']
  const pages = await table(names)
  await moves(pages, 6)
  for (const page of pages) {
    await fits(page)
    assert.equal(await page.locator('img').count(), 0)
    for (const name of names) assert.ok((await page.locator('main').textContent()).includes(name), name)
    await page.setViewportSize({ width: 360, height: 800 })
    await fits(page)
  }
  silent(...pages)
})

test('a draft is seen, undone, tried again when another acts, and sent', async () => {
  const pages = await table(['Ada', 'Bruno'])
  await moves(pages, 2)
  const page = await onTurn(pages)
  const other = pages.find((one) => one !== page)
  const loan = page.getByRole('button', { name: 'Borrow 10 (1 loan, −10 points)' })
  await loan.click()
  await page.getByRole('list', { name: 'Draft' }).getByText('Borrow 10').waitFor()
  await page.getByText('What changes').waitFor()
  assert.equal(
    (await view(page)).state.companies.some(({ loans }) => loans > 0),
    false,
    'nobody learns of it',
  )
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.draft').waitFor({ state: 'detached' })
  await loan.click()
  await page.locator('.draft').waitFor()
  await other.getByRole('button', { name: 'Borrow 10 (1 loan, −10 points)' }).click()
  await other.getByRole('button', { name: /^Send/ }).click()
  await page.getByText('moved in the meantime').waitFor()
  await page.getByRole('button', { name: /^Send/ }).click()
  await page.locator('.draft').waitFor({ state: 'detached' })
  assert.deepEqual(
    (await view(page)).state.companies.map(({ loans }) => loans),
    [1, 1],
  )
  silent(...pages)
})

test('a server that is killed and comes back is waited for, and nothing is lost', async () => {
  const own = await serve()
  const pages = []
  for (const name of ['Ada', 'Bruno']) pages.push(await player(browser, own.url, name))
  await join(pages[1], await host(pages[0]))
  await begun(pages)
  await moves(pages, 4)
  const { seq } = await view(pages[0])
  await own.kill()
  await pages[0].getByText('No connection').waitFor({ timeout: 20_000 })
  await pages[0].getByText(/Trying again in \d+ s/).waitFor()
  const again = await serve({ folder: own.folder, port: own.port })
  await pages[0].getByText('No connection').waitFor({ state: 'detached', timeout: 30_000 })
  assert.equal((await view(pages[0])).seq, seq)
  await moves(pages, 4)
  const drawn = await pages[1].locator('.log-body .seq').allTextContents()
  assert.deepEqual(
    drawn.filter((text, at) => drawn.indexOf(text) !== at),
    [],
    'no entry is told twice',
  )
  await again.end()
  const own404 = pages
    .flatMap(({ complaints }) => complaints)
    .filter((text) => !/ERR_|Failed to load|network/i.test(text))
  assert.deepEqual(own404, [])
})

test('moves are taken back, and a game waits while all want it to', async () => {
  const pages = await table(['Ada', 'Bruno'])
  const page = await onTurn(pages)
  await page.getByRole('button', { name: 'Borrow 10 (1 loan, −10 points)' }).click()
  await page.getByRole('button', { name: /^Send/ }).click()
  await page.locator('.draft').waitFor({ state: 'detached' })
  assert.equal(
    (await view(page)).state.companies.some(({ loans }) => loans === 1),
    true,
  )
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Take back', exact: true }).click()
  await page.getByText('taken back').first().waitFor()
  assert.equal(
    (await view(page)).state.companies.some(({ loans }) => loans === 1),
    false,
  )
  for (const one of pages) {
    await one.getByRole('button', { name: 'Menu' }).click()
    await one.getByRole('button', { name: 'Ask for a pause' }).click()
  }
  for (const one of pages) await one.getByText('The game is paused').waitFor()
  await pages[1].getByRole('button', { name: 'Menu' }).click()
  await pages[1].getByRole('button', { name: 'Resume' }).click()
  for (const one of pages) await one.getByText('The game is paused').waitFor({ state: 'detached' })
  silent(...pages)
})

test('what happened meanwhile is played back, held by a key or a press, and goes on', async () => {
  const pages = await table(['Ada', 'Bruno'])
  await moves(pages, 6)
  const page = await onTurn(pages)
  await page.clock.install()
  const [prompt, above] = [page.locator('h2#prompt'), page.locator('.ask')]
  await page.getByRole('button', { name: 'Replay' }).click()
  await prompt.getByText(/^1 of /).waitFor()
  // The pressed button keeps the focus.
  await page.keyboard.press('Space')
  await above.getByRole('button', { name: 'Continue' }).waitFor()
  await page.clock.runFor(5_000)
  assert.match(await prompt.textContent(), /^1 of /)
  await above.getByRole('button', { name: 'Continue' }).click()
  await page.clock.runFor(20_000)
  await above.getByRole('button', { name: 'Pause' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Replay' }).waitFor()
  silent(...pages)
})

test('what is said, noted and planned stays where it belongs', async () => {
  const pages = await table(['Ada', 'Bruno'])
  const [ada, bruno] = pages
  await ada.getByRole('tab', { name: 'Messages' }).click()
  await ada.getByLabel('Message', { exact: true }).fill('Good luck <b>!</b>')
  await ada.getByRole('button', { name: 'Send' }).click()
  await bruno.getByRole('tab', { name: /Messages/ }).click()
  await bruno.getByText('Good luck <b>!</b>').waitFor()
  await ada.getByRole('tab', { name: 'Notes' }).click()
  await ada.getByLabel('Only you see your notes.').fill('Bruno likes crates')
  await ada.getByRole('button', { name: 'Save', exact: true }).click()
  await ada.getByText('Saved at move').waitFor()
  assert.equal((await bruno.locator('body').textContent()).includes('likes crates'), false)
  await ada.getByRole('button', { name: 'Plan…' }).click()
  await ada.getByRole('button', { name: /In the phase “Auction”: Bid/ }).click()
  await ada.getByRole('button', { name: 'Save plan' }).click()
  await ada.getByRole('button', { name: 'plan active' }).waitFor()
  assert.equal(await bruno.getByText('plan active').count(), 0)
  silent(...pages)
})

test('another device, and the way back', async () => {
  const ada = await player(browser, server.url, 'Ada')
  const recovery = await ada.locator('.keep .code').textContent()
  await ada.goto(`${server.url}/settings`)
  await ada.getByRole('button', { name: 'Create code' }).click()
  await ada.locator('.picture').waitFor()
  const code = await ada.locator('.settings ~ section .code').last().textContent()
  for (const given of [code, recovery]) {
    const device = await person(browser, server.url)
    await device.getByRole('link', { name: 'I have a code' }).click()
    await device.getByLabel(/Recovery code/).fill(given)
    await device.getByRole('button', { name: 'Sign in' }).click()
    await device.locator('.home').waitFor()
    assert.equal(await device.locator('.bar .name').textContent(), 'Ada')
    silent(device)
  }
})
