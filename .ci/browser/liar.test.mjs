// A server that shows different things in different places: nothing is signed or revealed, and its receipts
// are kept.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { canonical, frame } from '../../../../src/web/base/bytes.js'
import { begun, browser, host, join, open, pair, player, receipts, server } from './support.mjs'

open()

const hash = (tag, ...parts) =>
  createHash('sha256')
    .update(frame(`fairlog/3 ${tag}`, ...parts))
    .digest()

/** Changes answers of the server. */
const lies = (page, address, change) =>
  page.route(address, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: change(await answer.json()) })
  })

test('no move is signed for a history that this browser has not worked out', async () => {
  const { page } = await pair()
  const sent = []
  page.on(
    'request',
    (request) => request.method() === 'POST' && /\/commands/.test(request.url()) && sent.push(request.url()),
  )
  // The heads are true, but the entries do not lead to them.
  await lies(page, /\/log\?/, (log) => ({
    ...log,
    items: log.items.map((item) => ({ ...item, body: { ...item.body, at: item.body.at + 1 } })),
  }))
  await page.reload()
  await page.getByRole('button', { name: 'Borrow 10 (1 loan, −10 points)' }).click()
  await page.getByRole('button', { name: /^Send/ }).click()
  await page.getByText('is inconsistent').waitFor()
  assert.deepEqual(sent, [])
  await page.unrouteAll({ behavior: 'wait' })
  await page.reload()
  await page.getByRole('button', { name: /^Send/ }).click()
  await page.locator('.draft').waitFor({ state: 'detached' })
  assert.equal(sent.length, 1)
})

test('nothing is revealed for a receipt of the full table that nobody signed', async () => {
  const ada = await player(browser, server.url, 'Ada'),
    bruno = await player(browser, server.url, 'Bruno')
  const revealed = []
  for (const page of [ada, bruno]) {
    page.on('request', (request) => /\/entropy$/.test(request.url()) && revealed.push(request.url()))
    await lies(page, /\/v1\/games\/[0-9a-f-]{36}$/, (game) =>
      game.seal_receipt
        ? { ...game, seal_receipt: game.seal_receipt.replace(/ (\S{8})\S{8}/, ' $1AAAAAAAA') }
        : game,
    )
  }
  await join(bruno, await host(ada))
  await bruno.getByText('contributes to the shuffle').first().waitFor()
  await ada.goto(bruno.url())
  await ada.getByText('contributes to the shuffle').first().waitFor()
  assert.deepEqual(revealed, [])
  for (const page of [ada, bruno]) {
    await page.unrouteAll({ behavior: 'wait' })
    await page.reload()
  }
  await begun([ada, bruno])
  assert.equal(revealed.length, 2)
})

test('a receipt that is none pushes no other out, and is told of', async () => {
  const { page } = await pair()
  const before = await receipts(page)
  assert.ok(before.length > 0)
  const [title, game, seq, at, head] = before.at(-1).split('\n')
  await lies(page, /\/commands/, (done) => ({
    ...done,
    receipt: `${[title, game, seq, at, head].join('\n')}\n`,
  }))
  await page.getByRole('button', { name: 'Borrow 10 (1 loan, −10 points)' }).click()
  await page.getByRole('button', { name: /^Send/ }).click()
  await page.getByText('a receipt with a wrong signature').waitFor()
  const after = await receipts(page)
  assert.ok(before.every((receipt) => after.includes(receipt)))
  assert.equal(after.length, before.length + 1)
})

/**
 * Shows a log that differs from the join of a seat on, with heads of its own, like a server that rewrote it.
 */
function anotherLog(page, change) {
  let before = Buffer.alloc(32)
  return lies(page, /\/log\?/, (log) => {
    for (const item of log.items) {
      change(item.body)
      if (item.body.seq === 0) before = Buffer.alloc(32)
      before = hash(
        'head',
        before,
        hash('leaf', Buffer.from(canonical(item.body)), Buffer.from(item.x, 'hex')),
      )
      item.head = before.toString('hex')
    }
    return log
  })
}

const claims = [
  [
    'the key was put in by the server',
    (body) =>
      body.type === 'join' &&
      (body.signed = {
        ...body.signed,
        key: '8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c',
      }),
  ],
  ['the keys were taken out', (body) => body.type === 'join' && (body.signed = null)],
  ['the promise was taken out', (body) => body.type === 'join' && (body.commit = null)],
  ['the terms are others', (body) => body.type === 'genesis' && (body.takebacks = !body.takebacks)],
]

for (const [what, change] of claims) {
  test(`nothing is signed for a log in which ${what}`, async () => {
    const { page } = await pair()
    const sent = []
    page.on(
      'request',
      (request) =>
        request.method() === 'POST' && /\/(commands|rekey)/.test(request.url()) && sent.push(request.url()),
    )
    await anotherLog(page, change)
    await page.reload()
    await page.getByText('does not show your seat as you took it').first().waitFor()
    await page.getByRole('button', { name: 'Borrow 10 (1 loan, −10 points)' }).click()
    await page.getByRole('button', { name: /^Send/ }).click()
    await page.locator('.trouble').nth(1).waitFor()
    assert.deepEqual(sent, [])
  })
}
