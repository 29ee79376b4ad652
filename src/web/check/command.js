// The same checks from the command line: node src/web/check/command.js FILE [--key KEY]... [--receipt FILE]... [--log-key KEY]...
// [--restore FILE]... [--witness KEY]... [--quorum N] [--report FILE]. A report, as `POST /v1/audits` or `playledger verify --json` gives it, says what the
// rules found. It ends with 1 if a check fails.

import { readFile } from 'node:fs/promises'
import { argv, exit, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { fill } from '../base/fill.js'
import { CHECK } from '../texts/check.js'
import { verify } from './verify.js'

const list = /** @type {const} */ ({ type: 'string', multiple: true, default: [] })
const { values, positionals } = parseArgs({
  args: argv.slice(2), allowPositionals: true,
  options: { key: list, receipt: list, restore: list, 'log-key': list, witness: list, quorum: { type: 'string', default: '0' }, report: { type: 'string' } },
})
const [file = ''] = positionals
const bytes = await readFile(file)
const receipts = await Promise.all(values.receipt.map((path) => readFile(path, 'utf8')))
const restores = await Promise.all(values.restore.map((path) => readFile(path, 'utf8')))
const report = values.report ? [JSON.parse(await readFile(values.report, 'utf8'))].flat()[0] : null
const rules = report?.checks.find((/** @type {any} */ { name }) => name === 'rules') ?? null
const { checks } = await verify(bytes, {
  rules, course: report?.turns, keys: values.key, receipts, restores, logKeys: values['log-key'], witnesses: values.witness, quorum: Number(values.quorum) })
for (const { no, name, verdict } of checks) {
  const said = verdict.outcome === 'fail' ? `${verdict.seq === null ? '' : `seq ${verdict.seq}: `}${verdict.why}` : fill(CHECK[verdict.say][0], verdict.args, String)
  stdout.write(`${String(no).padStart(2)} ${name.padEnd(11)} ${verdict.outcome.replace('_', ' ').padEnd(8)} ${said}\n`)
}
exit(checks.some(({ verdict }) => verdict.outcome === 'fail') ? 1 : 0)
