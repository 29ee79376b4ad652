// Two implementations of the format, on the same documents: golden games, forged ones, and ones of which a byte was changed.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const folder = mkdtempSync(join(tmpdir(), 'playledger-'))
const file = join(folder, 'game.json'), report = join(folder, 'report.json')
const { canonical } = await import(resolve('src/web/base/bytes.js'))
const { verify } = await import(resolve('src/web/check/verify.js'))
const read = (path) => readFileSync(`src/ledger/${path}`, 'utf8')

/** What the server's verifier says of a document. */
function byRust(bytes, given) {
  writeFileSync(file, bytes)
  const { stdout } = spawnSync('target/debug/playledger', ['verify', file, '--json', ...given], { encoding: 'utf8' })
  writeFileSync(report, stdout)
  return JSON.parse(stdout)[0]
}

/** What both say of a document, check by check; that of the page by its command. */
function byCommand(bytes, given) {
  const { checks } = byRust(bytes, given)
  const page = spawnSync('node', ['src/web/check/command.js', file, '--report', report, ...given], { encoding: 'utf8' })
  assert.equal(page.stderr, '')
  const said = page.stdout.trimEnd().split('\n').map((line) => line.slice(15, 23).trim().replace(' ', '_'))
  return { rust: checks.map(({ outcome }) => outcome), page: said }
}

/** The same, of a document whose keys are those of the vectors. */
async function both(bytes) {
  const { checks, turns } = byRust(bytes, small)
  const rules = checks.find(({ name }) => name === 'rules')
  const { keys, log_keys: logKeys, witnesses, quorum } = vectors
  const page = await verify(Uint8Array.from(Buffer.from(bytes)), { rules, course: turns, keys, logKeys, witnesses, quorum })
  return { rust: checks.map(({ outcome }) => outcome), page: page.checks.map(({ verdict }) => verdict.outcome) }
}

const golden = ['--key', read('golden/verifier-key.txt').trim()]
const vectors = JSON.parse(read('vectors/fairlog-2-small.json'))
const small = [
  ...vectors.keys.flatMap((key) => ['--key', key]), ...vectors.log_keys.flatMap((key) => ['--log-key', key]),
  ...vectors.witnesses.flatMap((key) => ['--witness', key]), '--quorum', String(vectors.quorum),
]

test('golden games', () => {
  for (const name of readdirSync('src/ledger/golden').filter((one) => one.endsWith('.json'))) {
    const { rust, page } = byCommand(read(`golden/${name}`), golden)
    assert.deepEqual(page, rust, name)
    assert.ok(!rust.includes('fail'), name)
  }
})

test('the vectors of the format, and what a dishonest server might write', () => {
  for (const { what, replay } of [{ what: 'the whole game', replay: vectors.replay }, ...vectors.cases]) {
    const { rust, page } = byCommand(replay, small)
    assert.deepEqual(page, rust, what)
  }
})

test('documents that are hardly text, or hold too much, and notes by strangers', async () => {
  const text = vectors.replay, value = () => JSON.parse(text)
  const place = text.indexOf('"player":"') + 10
  const broken = Buffer.from(text)
  broken[place] = 0xff
  const changed = (change) => {
    const document = value()
    change(document)
    return canonical(document)
  }
  const stranger = (line) => changed((document) => { document.proofs[0] += `${line}\n` })
  const long = Buffer.alloc(200_000, 1).toString('base64')
  for (const [what, bytes, check, outcome] of [
    ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]), 0, 'fail'],
    ['what is no UTF-8', broken, 0, 'fail'],
    ['a body with too many values', changed((document) => { document.entries[0].body.options = Array(20_001).fill(0) }), 0, 'fail'],
    ['too many proofs', changed((document) => { document.proofs = Array(20_001).fill('') }), 0, 'fail'],
    ['a secret that is a text', changed((document) => { document.entries.find(({ secret }) => secret).secret = 'a'.repeat(100_000) }), 0, 'fail'],
    ['a proof of very many lines', changed((document) => { document.proofs = [`c2sp.org/tlog-proof@v1\nindex 0${'\na'.repeat(2_000_000)}\n\nx\n1\n`] }), 7, 'fail'],
    ['a line of a stranger', stranger(`— stranger ${Buffer.alloc(68).toString('base64')}`), 7, 'pass'],
    ['a long line of a stranger', stranger(`— stranger ${long}`), 7, 'pass'],
    ['a name with a sign that is not seen', stranger(`— a\ufeff ${Buffer.alloc(68).toString('base64')}`), 7, 'pass'],
    ['a name with a control character', stranger(`— a\u0001 ${Buffer.alloc(68).toString('base64')}`), 7, 'fail'],
    ['a name with white space', stranger(`— a\u0085 ${Buffer.alloc(68).toString('base64')}`), 7, 'fail'],
  ]) {
    const { rust, page } = await both(bytes)
    assert.deepEqual(page, rust, what)
    assert.equal(rust[check], outcome, what)
  }
})

test('games of which a byte was changed', async () => {
  const whole = Buffer.from(vectors.replay)
  let state = 9
  for (let round = 0; round < 150; round += 1) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    const bytes = Buffer.from(whole)
    const place = state % bytes.length
    bytes[place] ^= 1 << (state >> 8) % 7
    if (bytes[place] >= 128) continue
    const { rust, page } = await both(bytes)
    assert.deepEqual(page, rust, `byte ${place}: ${String.fromCharCode(whole[place])} became ${String.fromCharCode(bytes[place])}`)
  }
})
