// Links: paths, what chats show of them, invitations, and the offer to be told of turns.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api, browser, host, join, open, pair, person, player, server, silent } from './support.mjs'
import { accessible, fits } from './seen.mjs'

open()

const IPHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
}

test('every page has a path, which back, forward and a reload know', async () => {
  const page = await player(browser, server.url, 'Ada')
  const at = (path) => page.waitForURL(`${server.url}${path}`)
  await page.getByRole('link', { name: 'Open tables' }).click()
  await at('/games')
  await page.getByRole('link', { name: 'Rules', exact: true }).click()
  await at('/rules/industrial-waste')
  await page.getByRole('heading', { name: 'Rules of Industrial Waste' }).waitFor({ state: 'attached' })
  await page.goBack()
  await at('/games')
  await page.getByRole('heading', { name: 'Open tables' }).first().waitFor()
  await page.goForward()
  await page.reload()
  await page.getByRole('heading', { name: 'Rules of Industrial Waste' }).waitFor({ state: 'attached' })
  await page.goto(`${server.url}/games/nothing`)
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
  silent(page)
})

/** Returns a picture of an address as pixels, as this browser decodes it. */
const pixels = (page, address) =>
  page.evaluate(async (address) => {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = 400
    canvas.height = 210
    const drawing = canvas.getContext('2d')
    drawing.drawImage(image, 0, 0, 400, 210)
    return [...drawing.getImageData(0, 0, 400, 210).data]
  }, address)

for (const game of ['Industrial Waste', 'Ecopolis'])
  test(`the picture of ${game} is what a browser makes of its drawing`, async () => {
    const { page, pages } = await pair({ game })
    const id = new URL(page.url()).pathname.split('/')[2]
    const { seq } = await api(page, 'GET', `/games/${id}/view`)
    const [ours, theirs] = [
      await pixels(page, `/games/${id}@${seq}.png?lang=en`),
      await pixels(page, `/games/${id}@${seq}.svg?lang=en`),
    ]
    const far = ours.filter((value, at) => Math.abs(value - theirs[at]) > 60).length / ours.length
    assert.ok(far < 0.02, `${far} of the pixels differ`)
    assert.ok(new Set(ours).size > 30, 'there is a picture')
    const head = await (await fetch(`${server.url}/games/${id}`)).text()
    assert.ok(head.includes('<title>') && !head.includes('Bruno'), 'an unlisted table gives its game alone')
    silent(...pages)
  })

test('an invitation on a telephone: a link, a name, a seat, and the question whether to be told', async () => {
  const ada = await player(browser, server.url, 'Ada')
  const link = await host(ada)
  const shown = await (await fetch(link)).text()
  assert.match(shown, /<meta property="og:title" content="Ada invites you to Industrial Waste">/)
  const bruno = await person(browser, server.url, IPHONE)
  await bruno.addInitScript(() => delete globalThis.PushManager)
  await bruno.goto(link)
  await bruno.getByRole('heading', { name: 'You are invited' }).waitFor()
  await fits(bruno)
  await bruno.locator('#name').fill('Bruno')
  await bruno.getByRole('button', { name: 'Join' }).click()
  await bruno.getByRole('heading', { name: 'Where do you want to be told?' }).waitFor()
  await bruno.getByText('Add to Home Screen').waitFor()
  await accessible(bruno)
  await fits(bruno)
  await bruno.getByRole('button', { name: 'No, thanks' }).click()
  await bruno.reload()
  await bruno.locator('.tray').waitFor()
  assert.equal(await bruno.locator('.call-me, .call-offer').count(), 0, 'it is asked once')

  const late = await person(browser, server.url)
  await late.goto(link)
  await late.getByRole('link', { name: /Watch/ }).click()
  await late.locator('.tray').waitFor()
  silent(ada, bruno, late)
})

test('who waits is offered to be told, in the line where the waiting is said', async () => {
  const ada = await player(browser, server.url, 'Ada')
  const bruno = await player(browser, server.url, 'Bruno')
  await join(bruno, await host(ada))
  const waits = await Promise.any(
    [ada, bruno].map(async (page) => {
      await page.getByText(/^Waiting for (Ada|Bruno) to/).waitFor()
      return page
    }),
  )
  await waits
    .getByRole('button', { name: 'Tell me when it is my turn' })
    .or(waits.locator('.call-me'))
    .first()
    .waitFor()
  silent(ada, bruno)
})

test('a host invites those it has played with, who are told on any page', async () => {
  const { pages } = await pair()
  const [ada, bruno] = pages
  await bruno.goto(`${server.url}/settings`)
  await ada.goto(`${server.url}/`)
  await host(ada, { game: 'Ecopolis' })
  await ada.getByRole('button', { name: 'Invite Bruno' }).click()
  await ada.getByRole('button', { name: 'Bruno was invited' }).waitFor()
  await bruno.getByText('Ada invites you to a game of Ecopolis.').waitFor()
  await accessible(bruno)
  await bruno.reload()
  await bruno.getByRole('link', { name: 'Look at the table' }).click()
  await bruno.getByRole('button', { name: 'Join' }).click()
  await bruno.locator('.tray').waitFor()
  assert.equal(await bruno.getByText('Ada invites you').count(), 0)
  silent(...pages)
})
