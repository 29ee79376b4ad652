// The checks from the command line: node src/web/check/command.js FILE [--key KEY]... [--receipt FILE]...
// [--proof SEQ:FILE]... [--log-key KEY]... [--restore FILE]... [--witness KEY]... [--quorum N] [--report
// FILE]. FILE.proof is the proof of a receipt's head. A report of `POST /v1/audits` or `playledger verify
// --json` has the results of the rules. The exit code is 1 if a check fails.

import { readFile } from 'node:fs/promises'
import { argv, exit, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { fill } from '../base/fill.js'
import { FINDINGS } from '../texts/findings.js'
import { verify } from './verify.js'

const list = /** @type {const} */ ({ type: 'string', multiple: true, default: [] })
const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: {
    key: list,
    receipt: list,
    proof: list,
    restore: list,
    'log-key': list,
    witness: list,
    quorum: { type: 'string', default: '0' },
    report: { type: 'string' },
  },
})

/** @param {string} path */
const read = (path) => readFile(path, 'utf8')

/** @param {string} path */
async function readReceipt(path) {
  const [receipt, proof] = await Promise.all([read(path), read(`${path}.proof`).catch(() => null)])
  return proof === null ? receipt : { receipt, proof }
}

/** @param {string} named */
async function readProof(named) {
  const [seq = '', ...path] = named.split(':')
  return { seq: Number(seq), proof: await read(path.join(':')) }
}

const [file = ''] = positionals
const report = values.report ? [JSON.parse(await read(values.report))].flat()[0] : null
const { checks } = await verify(await readFile(file), {
  rules: report?.checks.find((/** @type {any} */ { name }) => name === 'rules') ?? null,
  course: report?.turns,
  keys: values.key,
  receipts: await Promise.all(values.receipt.map(readReceipt)),
  proofs: await Promise.all(values.proof.map(readProof)),
  restores: await Promise.all(values.restore.map(read)),
  logKeys: values['log-key'],
  witnesses: values.witness,
  quorum: Number(values.quorum),
})
for (const {
  no,
  name,
  verdict: { outcome, seq, finding },
} of checks) {
  const said = `${seq === null ? '' : `seq ${seq}: `}${fill(FINDINGS[finding.code].en, finding.values, String)}`
  stdout.write(
    `${String(no).padStart(2)} ${name.padEnd(13)} ${outcome.replace('_', ' ').padEnd(8)} ${said}\n`,
  )
}
exit(checks.some(({ verdict }) => verdict.outcome === 'fail') ? 1 : 0)
