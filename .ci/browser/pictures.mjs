// Makes the pictures of the README: each game in the middle, against two bots. `cargo build && node
// .ci/browser/pictures.mjs`, with the tools installed by `.ci/web`.

import { chooser } from './choose.mjs'
import { browse, player, serve, view } from './support.mjs'

const FOLDER = process.env.PICTURES ?? 'docs/pictures'
const GAMES = { 'Industrial Waste': 41, Ecopolis: 44 }

/** Prefers commands that build. */
function decide(legal, choose) {
  const words = legal.map(({ text }) => text).filter((text) => !/^swap|loan/i.test(text))
  const good = words.filter((text) => /^(Buy|Build|Complete|Take|Improve|Use|Bid)/.test(text))
  return choose(good.length ? good : words)
}

/** Plays this player's decisions until the game has a number of entries. */
async function playUntil(page, seq) {
  const choose = chooser(7)
  for (;;) {
    const now = await view(page)
    const isMine = now.to_act[0] === now.viewer.seat && now.legal.commands.length > 0
    if (now.status !== 'running' || (isMine && now.seq >= seq)) return
    if (!isMine) {
      await page.waitForTimeout(50)
      continue
    }
    const grown = (before) => Number(document.querySelector('.scrubber input')?.max) > before
    await page.waitForFunction(grown, now.seq - 1)
    await page
      .locator('#tray')
      .getByRole('button', { name: decide(now.legal.commands, choose), exact: true })
      .first()
      .click()
    const drafted = page.getByRole('button', { name: /^Send/ })
    const played = page.waitForFunction(grown, now.seq)
    await Promise.race([drafted.waitFor().catch(() => null), played])
    if (await drafted.count()) await drafted.click()
    await played
  }
}

const [browser, server] = await Promise.all([browse(), serve()])
for (const [game, seq] of Object.entries(GAMES)) {
  const page = await player(browser, server.url, 'Ada', {
    viewport: { width: 1280, height: 860 },
    colorScheme: 'light',
  })
  await page.locator('.lid-choice', { hasText: game }).click()
  await page.locator('.choices label', { hasText: /^3$/ }).click()
  for (const seat of [2, 3]) await page.locator(`#seat-${seat}`).selectOption('middle')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.locator('.tray').waitFor()
  await playUntil(page, seq)
  await page.waitForTimeout(1_500)
  await page.screenshot({ path: `${FOLDER}/${game.toLowerCase().replace(' ', '-')}.png` })
}
await browser.close()
await server.end()
