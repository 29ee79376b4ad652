// Both games, from the first page to the verified end.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooser } from './choose.mjs'
import {
  begun,
  browser,
  ended,
  host,
  join,
  more,
  onTurn,
  open,
  person,
  player,
  proved,
  server,
  silent,
  view,
} from './support.mjs'

open()

/** Takes a number for an option by its name. */
async function option(page, label, value) {
  await page.getByLabel(label, { exact: true }).fill(String(value))
  await page.keyboard.press('Tab')
}

/** Returns the verdicts of an ended game, as the page shows them. */
async function verdicts(page, verify = 'Verify') {
  await page.getByRole('link', { name: verify }).click()
  await page.locator('.checks').waitFor()
  return page.locator('.checks li').evaluateAll((all) => all.map((one) => one.className))
}

/** The page shows equivalent commands once. Returns the text of the button. */
async function shown(page, words) {
  const tray = page.locator('#tray')
  const counts = await Promise.all(
    words.map((name) => tray.getByRole('button', { name, exact: true }).count()),
  )
  return words.filter((_, at) => counts[at] > 0)
}

/** Returns the texts of the commands as the page shows them: a bill is paid with one press. */
async function worded(page, { legal, state }, but) {
  const isBill = ({ command }) => state.debt && command.type === 'buy_credits'
  const bill = page.locator('.payments .command span').first()
  const texts = legal.commands.map((one) => (isBill(one) ? bill.textContent() : one.text))
  return (await Promise.all(texts)).filter((text) => !but.test(text))
}

/** Plays to the end by the names of buttons alone. */
async function playByName(pages, send = /^Send/) {
  const choose = chooser(11)
  for (let turns = 0; turns < 400; turns += 1) {
    const page = await onTurn(pages)
    if (!page) return
    const now = await view(page)
    const { seq } = now
    const words = await worded(page, now, /^swap/i)
    const tray = page.locator('#tray')
    await tray.getByRole('button', { name: words[0], exact: true }).first().waitFor()
    await tray
      .getByRole('button', { name: choose(await shown(page, words)), exact: true })
      .first()
      .click()
    const drafted = page.getByRole('button', { name: send })
    const played = page.waitForFunction(
      (before) => Number(document.querySelector('.scrubber input').max) > before,
      seq,
    )
    await Promise.race([drafted.waitFor().catch(() => null), played])
    if (await drafted.count()) await drafted.click()
    await played
  }
  assert.fail('the game does not end')
}

for (const game of ['Industrial Waste', 'Ecopolis']) {
  test(`${game} by accessible names, to the verified end`, async () => {
    const pages = [await player(browser, server.url, 'Ada'), await player(browser, server.url, 'Bruno')]
    await pages[0].locator('.lid-choice', { hasText: game }).click()
    // Lengths have names; any other number may be given as well.
    if (game === 'Ecopolis') {
      await more(pages[0])
      await option(pages[0], 'Round limit', 3)
    } else {
      await pages[0].locator('.choices label', { hasText: /^Other$/ }).click()
      await option(pages[0], 'Length: Other', 3)
    }
    await pages[0].locator('.choices label', { hasText: /^live$/ }).click()
    await join(pages[1], await host(pages[0], { game }))
    await begun(pages)
    await playByName(pages)
    await ended(pages[0])
    await pages[0].locator('.curve').waitFor()
    await proved(server.url, pages[0].url().match(/games\/([^@]+)/)[1])
    assert.deepEqual(await verdicts(pages[0]), [...Array(10).fill('pass'), 'not_run'])
    silent(...pages)
  })

  test(`${game} by keyboard alone, in Italian`, async () => {
    const options = { locale: 'it-IT' }
    const pages = [await person(browser, server.url, options), await person(browser, server.url, options)]
    await reach(pages[0], /^Il tuo nome/)
    await pages[0].keyboard.type('Ada')
    if (game === 'Ecopolis') {
      await reach(pages[0], /Industrial Waste/)
      await pages[0].keyboard.press('ArrowRight')
    }
    await reach(pages[0], /Crea un tavolo e condividi il link/)
    await pages[0].keyboard.press('Enter')
    const link = await pages[0].locator('.invite-link .code').textContent()
    await pages[1].goto(link)
    await reach(pages[1], /^Il tuo nome/)
    await pages[1].keyboard.type('Bruno')
    await pages[1].keyboard.press('Enter')
    await pages[1].locator('.table').waitFor()
    await begun(pages)
    const choose = chooser(5)
    for (let turns = 0; turns < 24; turns += 1) {
      const page = await onTurn(pages)
      assert.ok(page)
      const now = await view(page)
      const { seq } = now
      const words = await worded(page, now, /cambia/i)
      await page.locator('#tray').getByRole('button', { name: words[0], exact: true }).first().waitFor()
      await reach(page, new RegExp(`^${escaped(choose(await shown(page, words)))}$`), '.tray')
      await page.keyboard.press('Enter')
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
      if (await page.locator('.draft').count()) await page.keyboard.press('Enter')
      await played
    }
    // The past, by its shortcuts: back to the first entry, forward by one, and to the present.
    const [page] = pages
    const { seq: newest } = await view(page)
    await page.waitForFunction((now) => Number(document.querySelector('.scrubber input').max) >= now, newest)
    await page.keyboard.press('Escape')
    await page.evaluate(() => document.activeElement.blur())
    await page.keyboard.press('Home')
    await page.waitForURL(/@0$/)
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/@1$/)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('End')
    await page.waitForURL(/[0-9a-f]$/)
    await reach(page, /^Menu$/)
    await page.keyboard.press('Enter')
    await reach(page, /^Abbandona$/)
    await page.keyboard.press('Enter')
    await reach(page, /^Sì, abbandona$/)
    await page.keyboard.press('Enter')
    await ended(page)
    await reach(page, /^Verifica$/)
    await page.keyboard.press('Enter')
    await page.locator('.checks').waitFor()
    assert.equal(await page.locator('.checks .fail').count(), 0)
    silent(...pages)
  })
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Moves the focus with Tab to the element with this name. */
async function reach(page, name, within = 'body') {
  for (let steps = 0; steps < 250; steps += 1) {
    const at = await page.evaluate((where) => {
      const here = document.activeElement
      if (!here || here.matches('body, main') || !here.closest(where)) return ''
      const shown = (here.labels?.[0] ?? here).cloneNode(true)
      for (const hidden of shown.querySelectorAll('[aria-hidden=true]')) hidden.remove()
      return here.getAttribute('aria-label') ?? shown.textContent
    }, within)
    if (name.test(at.trim())) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`no way to ${name} by Tab`)
}
