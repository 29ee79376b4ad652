// Disputes: unchanged and changed files of games.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { browser, join, open, person, player, proved, server, silent } from './support.mjs'

const read = (path) => readFileSync(`src/core/ledger/${path}`, 'utf8')

open({ flags: ['--checkpoint-seconds', '1'] })

/** Verifies a text on the page, with these keys. */
async function check(page, text, keys, extra = []) {
  await page.goto(`${server.url}/check`)
  await page.reload()
  await page.getByText('Trusted keys').click()
  await page.locator('#check-keys').fill(keys)
  const files = [{ name: 'game.json', mimeType: 'application/json', buffer: Buffer.from(text) }, ...extra]
  await page.locator('#check-file').setInputFiles(files)
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.locator('.checks').waitFor()
  return page.locator('.checks').textContent()
}

test('a game of another server holds, with its key', async () => {
  const page = await person(browser, server.url)
  for (const name of ['industrial-waste', 'ecopolis', 'halted', 'void']) {
    await check(page, read(`golden/${name}.json`), read('golden/verifier-key.txt').trim())
    assert.equal(await page.locator('.checks .fail').count(), 0, name)
    assert.ok((await page.locator('.checks .pass').count()) >= 4, name)
  }
  silent(page)
})

test('a forged game is shown as forged, by the sentence that says how', async () => {
  const page = await person(browser, server.url)
  const {
    given: { keys },
    cases,
  } = JSON.parse(read('vectors/fairlog-3.json'))
  const claims = {
    clock: 'No player was timed out too early',
    signatures: 'The players made these moves',
    chain: 'Nothing was changed',
    rules: 'The game was played by the rules',
    entropy: 'The shuffle was fixed',
    receipts: 'The server signed this history',
  }
  const failing = ({ checks }) => Object.keys(claims).filter((name) => checks[name] === 'fail')
  // Cases that need only the document.
  const plain = cases.filter((one) => Object.keys(one.given).length === 0 && failing(one).length > 0)
  assert.ok(plain.length > 15)
  for (const { what, replay, ...one } of plain) {
    const fails = failing(one)
    await check(page, replay, keys.join('\n'))
    assert.equal(await page.locator('.checks .fail').count(), fails.length, what)
    const said = await page.locator('.checks .fail').allTextContents()
    for (const name of fails)
      assert.ok(
        said.some((text) => text.includes(claims[name])),
        `${what}: ${name}`,
      )
    await page.getByText('This game was altered').waitFor()
  }
  silent(page)
})

test('a file may hold what it likes: it is shown as text, and nothing of it is done', async () => {
  const page = await person(browser, server.url)
  const script = '<img src=x onerror=alert(1)><script>alert(2)</script>'
  const text = read('golden/industrial-waste.json')
  const {
    given: { keys },
    cases,
  } = JSON.parse(read('vectors/fairlog-3.json'))
  const players = [...text.matchAll(/"player":"([^"]+)"/g)].map(([, player]) => player)
  const forged = [
    players.reduce((all, player) => all.replaceAll(player, script), text),
    text.replaceAll('"cmd"', JSON.stringify(script)),
    ...cases
      .slice(0, 6)
      .map(({ replay }) => replay.replace(/"phase":"[^"]+"/g, `"phase":${JSON.stringify(script)}`)),
  ]
  assert.ok(players.length > 1 && forged[0] !== text && forged[1] !== text)
  for (const one of forged) {
    await check(page, one, keys.join('\n'))
    assert.ok((await page.locator('.checks .fail').count()) > 0)
    assert.equal(await page.locator('main img, main script').count(), 0)
  }
  silent(page)
})

test('the end of a game that was played here stands in the tree', async () => {
  const page = await person(browser, server.url)
  const send = async (path, token, body) =>
    (
      await fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      })
    ).json()
  const [ada, bob] = await Promise.all(['Ada', 'Bob'].map((name) => send('/v1/players', null, { name })))
  const { id } = await send('/v1/games', ada.token, { ruleset: 'industrial-waste', seats: 2 })
  await send(`/v1/games/${id}/seats`, bob.token, {})
  await send(`/v1/games/${id}/resignation`, bob.token, {})
  const replay = await proved(server.url, id)
  const { keys } = await (await fetch(`${server.url}/v1/keys`)).json()
  const said = await check(page, replay, keys.find(({ use }) => use === 'receipts').key)
  assert.ok(said.includes('1 proofs hold in the tree'), said)
  const proof = JSON.parse(replay).proofs[0]
  const index = Number(proof.split('\n')[1].slice(6))
  const moved = proof.replace(`index ${index}\n`, `index ${index - 1}\n`)
  const forged = await check(
    page,
    replay.replace(JSON.stringify(proof), JSON.stringify(moved)),
    keys.find(({ use }) => use === 'receipts').key,
  )
  assert.ok(forged.includes('do not lead from the head'), forged)
  // A requested game must be this game, signed by this server.
  const shown = async (body) => {
    await page.route(/\/replay$/, (route) => route.fulfill({ body, contentType: 'application/json' }))
    await page.goto(`${server.url}/check/${id}`)
    await page.reload()
    await page.locator('.checks, .trouble').first().waitFor()
    return page.locator('main').textContent()
  }
  assert.ok(
    (await shown(read('golden/industrial-waste.json'))).includes('a different game from the one requested'),
  )
  assert.equal(await page.locator('.stamp').count(), 0)
  assert.ok(
    (await shown(replay.replace('— playledger ', '— other.example '))).includes('A receipt is not genuine'),
  )
  assert.equal(await page.locator('.stamp.fails').count(), 1)
  silent(page)
})

test('a receipt of another history convicts the server', async () => {
  const page = await person(browser, server.url)
  const key = read('golden/verifier-key.txt').trim()
  const [own, other] = ['industrial-waste', 'ecopolis'].map((name) => read(`golden/${name}.json`))
  const { receipt } = JSON.parse(other)
  const said = await check(page, own, key, [
    { name: 'receipt.txt', mimeType: 'text/plain', buffer: Buffer.from(receipt) },
  ])
  assert.ok(said.includes('The operator signed another history up to this entry.'))
  const changed = own.replace('"by":"player"', '"by":"plaYer"')
  assert.ok((await check(page, changed, key)).includes('has a value that is not allowed'))
  silent(page)
})
