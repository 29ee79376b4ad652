// Both verifiers on the same documents: golden games, the vectors, and changed documents.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const folder = mkdtempSync(join(tmpdir(), 'playledger-'))
const path = (name) => join(folder, name)
const { canonical } = await import(resolve('src/web/base/bytes.js'))
const { verify } = await import(resolve('src/web/check/verify.js'))
const read = (name) => readFileSync(`src/core/ledger/${name}`, 'utf8')
const vectors = JSON.parse(read('vectors/fairlog-3.json'))

/** Writes a file, and gives its path. */
const put = (name, content) => (writeFileSync(path(name), content), path(name))

/** The evidence beside a document, as arguments of a command. */
function args({
  keys = [],
  receipts = [],
  restores = [],
  proofs = [],
  log_keys: logKeys = [],
  witnesses = [],
  quorum = 0,
}) {
  const receipt = (one, no) => {
    if (one.proof) put(`receipt-${no}.proof`, one.proof)
    return put(one.proof ? `receipt-${no}` : `bare-receipt-${no}`, one.receipt ?? one)
  }
  return [
    ...keys.flatMap((key) => ['--key', key]),
    ...receipts.flatMap((one, no) => ['--receipt', receipt(one, no)]),
    ...restores.flatMap((one, no) => ['--restore', put(`restore-${no}`, one)]),
    ...proofs.flatMap(({ seq, proof }, no) => ['--proof', `${seq}:${put(`proof-${no}`, proof)}`]),
    ...logKeys.flatMap((key) => ['--log-key', key]),
    ...witnesses.flatMap((key) => ['--witness', key]),
    '--quorum',
    String(quorum),
  ]
}

/** The reports of the server's verifier. */
function byRust(documents, given) {
  const files = documents.map((bytes, no) => put(`${no}.json`, bytes))
  const { stdout, stderr } = spawnSync(
    'target/debug/playledger',
    ['verify', ...files, '--json', ...args(given)],
    { encoding: 'utf8', maxBuffer: 1 << 30 },
  )
  assert.ok(stdout, stderr)
  return JSON.parse(stdout)
}

/** Returns the reports of both verifiers on a document. The page's runs by its command. */
function byCommand(bytes, given) {
  const [found] = byRust([bytes], given)
  const page = spawnSync(
    'node',
    [
      'src/web/check/command.js',
      path('0.json'),
      '--report',
      put('report', JSON.stringify(found)),
      ...args(given),
    ],
    { encoding: 'utf8' },
  )
  assert.equal(page.stderr, '')
  const said = page.stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(17, 25).trim().replace(' ', '_'))
  return { rust: found.checks.map(({ outcome }) => outcome), page: said }
}

/** The report of the page, with the findings of the server's rules. */
async function byPage(bytes, { checks, turns }, { log_keys: logKeys, ...given }) {
  const rules = checks.find(({ name }) => name === 'rules')
  return verify(Uint8Array.from(Buffer.from(bytes)), { rules, course: turns, logKeys, ...given })
}

/**
 * Checks that both verifiers find the same in every check, at the same entry, in the same words, and about
 * the same players.
 */
async function agree(documents, given, what) {
  const reports = byRust(documents, given)
  for (const [no, bytes] of documents.entries()) {
    const page = await byPage(bytes, reports[no], given)
    // The findings of `canonical` and `rules` differ in detail, so only their outcomes are compared.
    const found = ({ name, outcome, seq = null, code }) => [
      name,
      outcome,
      ...(['canonical', 'rules'].includes(name) ? [] : [seq, code]),
    ]
    const own = page.checks.map(
      ({
        name,
        verdict: {
          outcome,
          seq,
          finding: { code },
        },
      }) => found({ name, outcome, seq, code }),
    )
    const theirs = reports[no].checks.map(found)
    assert.deepEqual(own, theirs, `${what}, document ${no}`)
    assert.deepEqual(page.tenures, reports[no].tenures, `${what}, document ${no}`)
  }
  return reports
}

const golden = { keys: [read('golden/verifier-key.txt').trim()] }

test('golden games', async () => {
  for (const name of readdirSync('src/core/ledger/golden').filter((one) => one.endsWith('.json'))) {
    const { rust, page } = byCommand(read(`golden/${name}`), golden)
    assert.deepEqual(page, rust, name)
    assert.ok(!rust.includes('fail'), name)
    await agree([read(`golden/${name}`)], golden, name)
  }
})

test('the vectors of the format, and what a dishonest server might write', async () => {
  for (const { what, replay, given } of [{ what: 'the whole game', ...vectors.small }, ...vectors.cases]) {
    const all = { ...vectors.given, ...given }
    const { rust, page } = byCommand(replay, all)
    assert.deepEqual(page, rust, what)
    await agree([replay], all, what)
  }
})

test('documents that are hardly text, or hold too much, and notes by strangers', async () => {
  const text = vectors.small.replay
  const place = text.indexOf('"player":"') + 10
  const broken = Buffer.from(text)
  broken[place] = 0xff
  const changed = (change) => {
    const document = JSON.parse(text)
    change(document)
    return canonical(document)
  }
  const stranger = (line) =>
    changed((document) => {
      document.proofs[0] += `${line}\n`
    })
  const long = Buffer.alloc(1_000, 1).toString('base64')
  for (const [what, bytes, check, outcome] of [
    ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]), 0, 'fail'],
    ['what is no UTF-8', broken, 0, 'fail'],
    [
      'a body that is too large',
      changed((document) => {
        document.entries[0].body.options = Array(40_000).fill(0)
      }),
      0,
      'fail',
    ],
    [
      'a body that nests too deep',
      text.replace('"options":{', `"options":{"deep":${'['.repeat(70)}${']'.repeat(70)},`),
      0,
      'fail',
    ],
    [
      'too many proofs',
      changed((document) => {
        document.proofs = Array(20_001).fill('')
      }),
      0,
      'fail',
    ],
    [
      'a secret that is a text',
      changed((document) => {
        document.entries.find(({ secret }) => secret).secret = 'a'.repeat(60_000)
      }),
      0,
      'fail',
    ],
    [
      'a proof of very many lines',
      changed((document) => {
        document.proofs = [`c2sp.org/tlog-proof@v1\nindex 0${'\na'.repeat(2_000_000)}\n\nx\n1\n`]
      }),
      0,
      'fail',
    ],
    ['a line of a stranger', stranger(`— stranger ${Buffer.alloc(68).toString('base64')}`), 7, 'pass'],
    ['a long line of a stranger', stranger(`— stranger ${long}`), 7, 'pass'],
    [
      'a name with a sign that is not seen',
      stranger(`— a\ufeff ${Buffer.alloc(68).toString('base64')}`),
      7,
      'pass',
    ],
    [
      'a name with a control character',
      stranger(`— a\u0001 ${Buffer.alloc(68).toString('base64')}`),
      7,
      'fail',
    ],
    ['a name with white space', stranger(`— a\u0085 ${Buffer.alloc(68).toString('base64')}`), 7, 'fail'],
  ]) {
    const [rust] = byRust([bytes], vectors.given)
    const page = await byPage(bytes, rust, vectors.given)
    assert.deepEqual(
      page.checks.map(({ verdict }) => verdict.outcome),
      rust.checks.map(({ outcome }) => outcome),
      what,
    )
    assert.equal(rust.checks[check].outcome, outcome, what)
  }
})

/** The same numbers for the same start. */
function dice(state) {
  return (most) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >> 8) % most
  }
}

/** Returns every place in a document, with its container. */
function places(value, found = []) {
  if (value === null || typeof value !== 'object') return found
  for (const name of Object.keys(value)) {
    found.push([value, name])
    places(value[name], found)
  }
  return found
}

/** A document with a bit or a value changed, a member gone or moved, an entry dropped, doubled or swapped. */
function mutated(text, roll) {
  const kind = roll(6)
  if (kind === 0) {
    const bytes = Buffer.from(text)
    bytes[roll(bytes.length)] ^= 1 << roll(8)
    return bytes
  }
  const document = JSON.parse(text)
  if (kind === 1) {
    const at = roll(document.entries.length),
      entry = document.entries[at]
    document.entries.splice(
      at,
      roll(2),
      ...[[], [entry, entry], [document.entries[at + 1] ?? entry]][roll(3)],
    )
    return canonical(document)
  }
  const all = places(document)
  const [holder, name] = all[roll(all.length)],
    [other, place] = all[roll(all.length)]
  if (kind === 2) Array.isArray(holder) ? holder.splice(Number(name), 1) : delete holder[name]
  else if (kind === 3) holder[name] = structuredClone(other[place])
  else if (kind === 4) holder[name] = [null, 0, 1, -1, '', 'x', true, [], {}, 2 ** 53][roll(10)]
  else if (typeof holder[name] === 'number') holder[name] += roll(3) - 1
  else if (typeof holder[name] === 'string' && holder[name])
    holder[name] = holder[name].slice(0, -1) + '0123456789abcdef'[roll(16)]
  return canonical(document)
}

test('documents that were changed', async () => {
  const texts = [
    [vectors.small.replay, vectors.given],
    ...['short', 'void', 'halted', 'abandoned'].map((name) => [read(`golden/${name}.json`), golden]),
  ]
  const rounds = Number(process.env.ROUNDS ?? 1_000),
    roll = dice(9)
  for (let done = 0; done < rounds; done += 250) {
    const [text, given] = texts[(done / 250) % texts.length]
    await agree(
      Array.from({ length: 250 }, () => mutated(text, roll)),
      given,
      `from ${done} on`,
    )
  }
})
