// The checks of one document, each with its own answer: a second implementation of the format, which shares nothing with the
// server's but the text that describes it. Check 9 needs the rules of the game, and is the server's.

import { readKey } from '../base/notes.js'
import { canVerify } from '../base/points.js'
import { checkCommitment, walk } from './chain.js'
import { checkClock } from './clock.js'
import { readDocument, textOf } from './document.js'
import { checkDraws, checkEntropy, contributors } from './draws.js'
import { Wrong } from './entries.js'
import { checkProofs } from './proofs.js'
import { checkReceipts, readRestore } from './receipts.js'
import { checkSignatures } from './signatures.js'
import { fail, notRun, pass } from './verdict.js'

/** @typedef {import('./verdict.js').Verdict} Verdict */
/** What is given beside a document; keys are never taken from it.
 * @typedef {{receipts?: string[], keys?: string[], restores?: string[], logKeys?: string[], witnesses?: string[], quorum?: number,
 *   rules?: {outcome: string, seq?: number | null, detail: string} | null, course?: import('./clock.js').Course[]}} Given */
/** @typedef {{no: number, name: string, verdict: Verdict}} Check */

const NAMES = ['canonical', 'commitment', 'chain', 'receipts', 'entropy', 'draws', 'signatures', 'log_proofs', 'rules', 'clock']

/** @param {Uint8Array} bytes @param {Given} [given] @returns {Promise<{checks: Check[], independent: number | null, genesis: any, end: any}>} */
export async function verify(bytes, given = {}) {
  /** @type {Verdict[]} */
  const verdicts = []
  let document
  try {
    document = await readDocument(textOf(bytes))
  } catch (error) {
    if (!(error instanceof Wrong)) throw error
    return report([fail(null, error.message)], null, null, null)
  }
  const isOne = document.format === 'fairlog/1'
  const genesis = document.entries[0]?.body ?? null
  const end = document.entries.at(-1)?.body ?? null
  verdicts.push(pass('canonical_holds', { n: document.entries.length }))
  const commitment = await checkCommitment(document)
  const { verdict: chain, history } = await walk(document)
  verdicts.push(commitment, chain)
  if (!history) return report(verdicts, null, genesis, end)
  const keys = await all(given.keys, 1)
  const signs = await canVerify()
  const isVoid = history.standing.status === 'void'
  const opened = commitment.outcome === 'pass'
  verdicts.push(isOne && !opened ? needs('commitment') : !signs ? notRun('no_ed25519') : await checkReceipts(document, history, given.receipts ?? [], keys, await restoresOf(given)))
  const entropy = await checkEntropy(document, history)
  verdicts.push(entropy)
  const draws = isVoid ? notRun('nothing_dealt') : !opened ? needs('commitment') : entropy.outcome !== 'pass' ? needs('entropy') : await checkDraws(document, history)
  verdicts.push(draws)
  verdicts.push(isOne ? notRun('not_in_one') : isVoid ? notRun('nothing_dealt') : !signs ? notRun('no_ed25519') : await checkSignatures(document, history))
  const tree = { logs: await all(given.logKeys, 1), witnesses: await all(given.witnesses, 4), quorum: given.quorum ?? 0 }
  verdicts.push(isOne ? notRun('not_in_one') : !signs ? notRun('no_ed25519') : await checkProofs(document, history, tree))
  const rules = isVoid ? notRun('nothing_dealt') : rulesOf(given)
  verdicts.push(rules)
  if (!isOne) verdicts.push(isVoid ? notRun('nothing_dealt') : rules.outcome !== 'pass' || !given.course ? (genesis.clock ? needs('rules') : notRun('clock_missing')) : checkClock(document, history, given.course))
  return report(verdicts, entropy.outcome === 'pass' ? contributors(history.standing) : null, genesis, end)
}

/** @param {string[] | undefined} texts @param {1 | 4} kind */
async function all(texts, kind) {
  const read = await Promise.all((texts ?? []).map((text) => readKey(text, kind)))
  return read.filter((key) => key !== null)
}

/** @param {Given} given */
async function restoresOf({ restores }) {
  const read = await Promise.all((restores ?? []).map(readRestore))
  return read.filter((restore) => restore !== null)
}

/** What the server found when it played the game again. @param {Given} given @returns {Verdict} */
function rulesOf({ rules }) {
  if (!rules || rules.outcome === 'not_run') return notRun('rules_not_run')
  return rules.outcome === 'pass' ? pass('rules_hold') : fail(rules.seq ?? null, rules.detail)
}

/** @param {string} earlier */
const needs = (earlier) => notRun('needs_earlier', { name: earlier })

/** @param {Verdict[]} verdicts @param {number | null} independent @param {any} genesis @param {any} end */
function report(verdicts, independent, genesis, end) {
  const count = genesis?.format === 'fairlog/1' ? 9 : 10
  const failed = NAMES[verdicts.findLastIndex(({ outcome }) => outcome === 'fail')] ?? 'canonical'
  const checks = NAMES.slice(0, count).map((name, at) => ({ no: at + 1, name, verdict: verdicts[at] ?? needs(failed) }))
  return { checks, independent, genesis, end }
}
