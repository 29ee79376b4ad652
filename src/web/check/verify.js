// The verifier of the page: a second implementation of the format. It shares with the server only the
// specification and the texts of findings. Check 9 needs the rules of the game, so the server does it.

import { found } from '../base/finding.js'
import { readKey } from '../base/notes.js'
import { canVerify } from '../base/points.js'
import { checkCommitment, checkPrevious, walk } from './chain.js'
import { checkClock } from './clock.js'
import { readDocument, textOf } from './document.js'
import { checkDraws, checkEntropy, sharesOf } from './draws.js'
import { Wrong } from './entries.js'
import { checkProofs } from './proofs.js'
import { checkReceipts, readRestore } from './receipts.js'
import { checkSignatures } from './signatures.js'
import { tenuresOf } from './tenures.js'
import { fail, notRun, pass } from './verdict.js'

/** @typedef {import('./verdict.js').Verdict} Verdict */
/**
 * Evidence of the reader. Keys never come from the document.
 * @typedef {{receipts?: import('./receipts.js').Kept[], keys?: string[], restores?: string[], logKeys?: string[], witnesses?: string[], quorum?: number, proofs?: {seq: number, proof: string}[], players?: string[], devices?: import('./tenures.js').Device[], previous?: Uint8Array | null, rules?: {outcome: string, seq?: number | null, detail: string} | null, course?: import('./clock.js').Course[]}} Given
 */
/** @typedef {{no: number, name: string, verdict: Verdict}} Check */
/**
 * A notable entry.
 * @typedef {{seq: number, type: string, seat: number | null, text: string | null, ms: number | null}} Notable
 */
/** @typedef {{checks: Check[], independent: number | null, tenures: import('./tenures.js').Tenure[], notable: Notable[], genesis: any, end: any}} Report */

const NAMES = [
  'canonical',
  'commitment',
  'chain',
  'receipts',
  'entropy',
  'draws',
  'signatures',
  'log_proofs',
  'rules',
  'clock',
  'cosigned_time',
]

/** @param {Uint8Array} bytes @param {Given} [given] @returns {Promise<Report>} */
export async function verify(bytes, given = {}) {
  let document
  try {
    document = await readDocument(textOf(bytes))
  } catch (error) {
    if (!(error instanceof Wrong)) throw error
    return stopped([fail(error.seq, error.finding)], 'canonical')
  }
  const canonical = pass(found('document_canonical', { count: document.entries.length }))
  const commitment = await checkCommitment(document)
  const { verdict: chain, history } = await walk(document)
  const ends = { genesis: document.entries[0]?.body ?? null, end: document.entries.at(-1)?.body ?? null }
  const before =
    history && given.previous
      ? await checkPrevious(history, given.previous, (read) => readDocument(textOf(read)))
      : null
  if (!history || before) return { ...stopped([canonical, commitment, before ?? chain], 'chain'), ...ends }
  const entropy = await checkEntropy(document, history)
  const draws = !history.started
    ? notRun(found('not_started'))
    : commitment.outcome !== 'pass'
      ? needs('commitment')
      : entropy.outcome !== 'pass'
        ? needs('entropy')
        : await checkDraws(document, history)
  const rules = rulesOf(given, history, draws)
  const clock =
    !history.genesis.clock && history.started && rules.outcome === 'pass'
      ? notRun(found('no_clock'))
      : rules.outcome !== 'pass' || !given.course
        ? needs('rules')
        : checkClock(document, history, given.course)
  const signed = await checkSigned(document, history, given)
  const verdicts = [
    canonical,
    commitment,
    chain,
    signed.receipts,
    entropy,
    draws,
    signed.signatures,
    signed.proofs,
    rules,
    clock,
    signed.time,
  ]
  const known = { players: given.players ?? [], devices: given.devices ?? [] }
  return {
    checks: named(verdicts),
    ...ends,
    independent: entropy.outcome === 'pass' ? sharesOf(history.standing) : null,
    tenures: signed.signatures.outcome === 'fail' ? [] : await tenuresOf(document, history, known),
    notable: notableIn(document),
  }
}

/**
 * Runs the checks that need Ed25519.
 * @param {import('./document.js').ReplayDocument} document
 * @param {import('./chain.js').History} history
 * @param {Given} given
 */
async function checkSigned(document, history, given) {
  if (!(await canVerify())) {
    const blind = notRun(found('no_ed25519'))
    return { receipts: blind, signatures: blind, proofs: blind, time: blind }
  }
  const tree = {
    logs: await all(given.logKeys, 1),
    witnesses: await all(given.witnesses, 4),
    quorum: given.quorum ?? 0,
  }
  const beside = {
    receipts: given.receipts ?? [],
    keys: await all(given.keys, 1),
    restores: await restoresOf(given),
    ...tree,
  }
  return {
    receipts: await checkReceipts(document, history, beside),
    signatures: await checkSignatures(document, history),
    ...(await checkProofs(document, history, { ...tree, proofs: given.proofs ?? [] })),
  }
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

/**
 * Returns the server's finding of check 9.
 * @param {Given} given
 * @param {import('./chain.js').History} history
 * @param {Verdict} draws
 * @returns {Verdict}
 */
function rulesOf({ rules }, { started }, draws) {
  if (!started) return notRun(found('not_started'))
  if (draws.outcome !== 'pass') return needs('draws')
  if (!rules || rules.outcome === 'not_run') return notRun(found('rules_not_run'))
  const said = found('said', { what: rules.detail })
  return rules.outcome === 'pass' ? pass(said) : fail(rules.seq ?? null, said)
}

/** @param {string} check */
const needs = (check) => notRun(found('needs_check', { check }))

/** @param {Verdict[]} verdicts @returns {Check[]} */
const named = (verdicts) => verdicts.map((verdict, at) => ({ no: at + 1, name: NAMES[at] ?? '', verdict }))

/**
 * Returns a report that ends with the last of these verdicts. The other checks need it.
 * @param {Verdict[]} verdicts
 * @param {string} last
 * @returns {Report}
 */
function stopped(verdicts, last) {
  const rest = NAMES.slice(verdicts.length).map(() => needs(last))
  return {
    checks: named([...verdicts, ...rest]),
    independent: null,
    tenures: [],
    notable: [],
    genesis: null,
    end: null,
  }
}

/**
 * Returns changes of keys without consent, and acts of the operator.
 * @param {import('./document.js').ReplayDocument} document
 * @returns {Notable[]}
 */
const notableIn = ({ entries }) =>
  entries.flatMap(({ body: { seq, type, seat = null, text = null, ms = null, reason } }) => {
    const kind = type === 'end' && reason === 'halted' ? 'halted' : type
    return ['rekey', 'revoke', 'remove', 'outage', 'halted'].includes(kind)
      ? [{ seq, type: kind, seat, text, ms }]
      : []
  })
