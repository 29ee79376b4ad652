// Moves of others are played on the board. Accidents, costs and rents have signs and sentences.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api, browser, open, player, server, silent } from './support.mjs'
import { accessible, fits } from './seen.mjs'

open()

const MOTION = { reducedMotion: 'no-preference' }

/** Two players at a table without signatures, the first with its page. */
async function unsigned(ruleset, options) {
  const [ada, bruno] = [
    await player(browser, server.url, 'Ada', options),
    await player(browser, server.url, 'Bruno'),
  ]
  const { id } = await api(ada, 'POST', '/games', {
    ruleset,
    seats: 2,
    clock: null,
    options: { first_seat: 0 },
  })
  await api(bruno, 'POST', `/games/${id}/seats`, {})
  return { ada, bruno, id }
}

/** Plays the first good command of the player to act, until the events of one are as wanted. */
async function until({ ada, bruno, id }, wanted, most = 600) {
  const dull = /loan|bankruptcy|exchange|swap|propose|counter|save|withdraw/
  for (let turns = 0; turns < most; turns += 1) {
    for (const page of [ada, bruno]) {
      const { legal, seq, status } = await api(page, 'GET', `/games/${id}/view?with=legal`)
      if (status !== 'running') return null
      if (!legal?.turn) continue
      const good = legal.commands.find(({ command }) => !dull.test(command.type)) ?? legal.commands[0]
      await api(page, 'POST', `/games/${id}/commands`, { expected_seq: seq, command: good.command })
      const { items } = await api(page, 'GET', `/games/${id}/events?after=${seq}`)
      const found = items.find(({ events }) => events.some(wanted))
      if (found) return found
    }
  }
  return null
}

const playing = (page) => page.locator('.prompt.playing')

test('moves that another made meanwhile are played on the board, and a key ends that', async () => {
  const at = await unsigned('ecopolis', MOTION)
  const { ada, bruno, id } = at
  const isTurnOf = (seat) => (event) => event.type === 'turn_began' && event.seat === seat
  await until(at, isTurnOf(1))
  await until(at, isTurnOf(0))
  await ada.goto(`${server.url}/games/${id}`)
  await playing(ada).waitFor()
  await ada.locator('.board .pawn').first().waitFor()
  const first = await ada.locator('#prompt').textContent()
  assert.match(first, /^1 of \d+: Bruno /)
  await ada.waitForFunction(() => /^2 of/.test(document.querySelector('#prompt').textContent))
  assert.equal(await ada.locator('.tray button.command').count(), 0, 'nothing is pressed by mistake')
  await ada.keyboard.press('Enter')
  await ada.locator('.prompt.mine').waitFor()
  await ada.locator('.fresh-square, .trail').first().waitFor()
  silent(ada, bruno)
})

test('moves of another are played as they come, unless motion is reduced', async () => {
  const at = await unsigned('ecopolis', MOTION)
  const { ada, bruno, id } = at
  await until(at, (event) => event.type === 'turn_began' && event.seat === 1)
  await ada.goto(`${server.url}/games/${id}`)
  await ada.locator('.table').waitFor()
  await ada.getByText('Waiting for Bruno').first().waitFor()
  await until(at, (event) => event.type === 'turn_began' && event.seat === 0)
  await playing(ada).waitFor()
  await ada.getByRole('button', { name: 'Skip' }).click()
  await ada.locator('.prompt.mine').waitFor()
  await ada.emulateMedia({ reducedMotion: 'reduce' })
  await until(at, (event) => event.type === 'turn_began' && event.seat === 1)
  await until(at, (event) => event.type === 'turn_began' && event.seat === 0)
  await ada.locator('.prompt.mine').waitFor()
  assert.equal(await playing(ada).count(), 0)
  silent(ada, bruno)
})

for (const [width, height] of [
  [390, 844],
  [1280, 800],
])
  test(`an accident is seen and said, ${width} pixels wide`, async () => {
    const at = await unsigned('industrial-waste', { viewport: { width, height } })
    const { ada, bruno, id } = at
    const found = await until(at, ({ type }) => type === 'accident_drawn')
    const mine = found.events.find(({ type, seat }) => type === 'accident_settled' && seat === 0)
    await ada.goto(`${server.url}/games/${id}`)
    await ada.locator('.table').waitFor()
    const line = ada.locator('.log-body .struck-by.bad', { hasText: 'Accident!' })
    await line.first().waitFor({ state: 'attached' })
    if (mine) {
      const own = ada.locator('.log-body .struck-by.mine', { hasText: 'Ada’s waste' })
      await own
        .or(ada.locator('.log-body .struck-by.mine', { hasText: "Ada's waste" }))
        .first()
        .waitFor({ state: 'attached' })
    }
    const banner = ada.locator('.moment-banner')
    if (await banner.count()) {
      await banner.getByText('Accident!').waitFor()
      await accessible(ada)
      await banner.getByRole('button', { name: 'Close' }).click()
      await banner.waitFor({ state: 'detached' })
    }
    await fits(ada)
    silent(ada, bruno)
  })
