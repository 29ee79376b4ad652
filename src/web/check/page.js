// The page that verifies games of any server, with kept receipts.

import { get, getBytes, Problem, send } from '../base/api.js'
import { icon } from '../base/icons.js'
import { isOf, readKey, readReceipt } from '../base/notes.js'
import { ownKey } from '../base/own_key.js'
import { receiptsOf } from '../base/receipts.js'
import { links } from '../base/route.js'
import { h } from '../base/view.js'
import { t } from '../base/words.js'
import { trouble } from '../home/parts.js'
import { players, worded } from './players.js'
import { verify } from './verify.js'

/** @typedef {Awaited<ReturnType<typeof verify>>} Found */

/** @param {{id: string | null}} route @param {() => void} redraw @returns {import('../main.js').Page} */
export function checkPage(route, redraw) {
  /** The exact bytes of the document, and its text if it has one. */
  let bytes = new Uint8Array()
  let text = ''
  /** The requested game, if the address names one. @type {string | null} */
  let asked = null
  let receipts = ''
  let keys = ''
  /** The keys of this server, filled in automatically. */
  let ownKeys = ''
  /** Restore statements of this server's operator. */
  let restores = /** @type {string[]} */ ([])
  let treeKeys = ''
  /**
   * The keys of this server's tree, filled in automatically. They say nothing about games of other servers.
   */
  let ownTrees = ''
  let names = /** @type {string[]} */ ([])
  let working = false
  /** Whether none of the keys belongs to the signing server. */
  let isForeign = false
  /** @type {Found | null} */
  let found = null
  /** @type {any} */
  let problem = null

  async function load() {
    const own = (await get('/v1/keys')).keys
    const of = (/** @type {string} */ use) =>
      own
        .filter((/** @type {any} */ one) => one.use === use)
        .map((/** @type {any} */ { key }) => key)
        .join('\n')
    restores = own.flatMap((/** @type {any} */ { restore }) => (restore ? [restore] : []))
    const kept = route.id ? await receiptsOf(route.id) : { notes: [], keys: [] }
    // A key that signed a kept receipt counts, even if the server no longer lists it.
    ownKeys = keys = [...new Set([...lines(of('receipts')), ...kept.keys])].join('\n')
    ownTrees = treeKeys = of('log')
    redraw()
    if (!route.id) return
    receipts = kept.notes.join('\n')
    setDocument(await getBytes(`/v1/games/${route.id}/replay`))
    asked = route.id
    names = [`${route.id}.json`]
    await run()
  }
  void load().catch((refused) => {
    problem = refused
    redraw()
  })

  /** @param {Uint8Array<ArrayBuffer>} read */
  function setDocument(read) {
    bytes = read
    text = new TextDecoder().decode(read)
  }

  /**
   * Returns the keys for receipts. Automatic keys accuse no other server without a receipt of this browser.
   */
  const given = async () =>
    asked || keys !== ownKeys || notes(receipts).length > 0 ? lines(keys) : fitting(text, lines(keys))

  async function run() {
    found = null
    problem = null
    if (!text) {
      problem = new Problem({ status: 400, code: 'malformed', detail: t('check_no_file') })
      redraw()
      return
    }
    working = true
    redraw()
    const known = await given()
    isForeign = (await fitting(text, lines(keys))).length === 0 && lines(keys).length > 0
    const trees = treeKeys === ownTrees && !namesTree(text, lines(treeKeys)) ? [] : lines(treeKeys)
    const beside = { receipts: notes(receipts), keys: known, restores, logKeys: trees, witnesses: trees }
    const audit = await send('POST', '/v1/audits', {
      replay: text,
      receipts: beside.receipts,
      ...(known.length ? { keys: known, restores } : {}),
    }).catch(() => null)
    const rules = audit?.checks.find((/** @type {any} */ { name }) => name === 'rules') ?? null
    const own = await ownKey()
    found = await verify(bytes, {
      ...beside,
      rules,
      course: audit?.turns,
      players: own ? [own.hex] : [],
    }).catch((refused) => {
      problem = refused
      return null
    })
    if (asked && found?.genesis && found.genesis.game !== asked) {
      problem = new Problem({ status: 409, code: 'other_game', detail: t('check_other_game') })
      found = null
    }
    working = false
    redraw()
  }

  /** @param {FileList | null} files */
  async function take(files) {
    problem = null
    for (const file of files ?? []) {
      const read = new Uint8Array(await file.arrayBuffer())
      const content = new TextDecoder().decode(read)
      if (content.trimStart().startsWith('{')) {
        setDocument(read)
        asked = null
        names = [file.name]
      } else if (content.includes('receipt')) receipts = `${receipts.trim()}\n${content}`.trim()
      else
        problem = new Problem({
          status: 400,
          code: 'malformed',
          detail: t('check_wrong_file', { name: file.name }),
        })
    }
    found = null
    redraw()
  }

  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault()
    void take(event.dataTransfer?.files ?? null)
  }

  function form() {
    return h(
      'form.sheet.check-form',
      {
        onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void run()),
        ondrop: drop,
        ondragover: (/** @type {Event} */ event) => event.preventDefault(),
      },
      h('h1', null, t('check_title')),
      h('p', null, t('check_intro')),
      h(
        'div.drop',
        null,
        h('label', { for: 'check-file' }, t('check_file')),
        h('input', {
          id: 'check-file',
          type: 'file',
          multiple: true,
          onchange: (/** @type {any} */ event) => void take(event.target.files),
        }),
        names.length > 0 && h('span', { role: 'status' }, names.join(', ')),
      ),
      h(
        'details',
        { open: receipts ? true : null },
        h('summary', null, t('check_receipts'), ` (${notes(receipts).length})`),
        h('label.small', { for: 'check-receipts' }, t('check_receipts_help')),
        unread(receipts) > 0 && h('p.trouble', { role: 'alert' }, t('check_unread', { n: unread(receipts) })),
        h('textarea', {
          id: 'check-receipts',
          rows: '6',
          value: receipts,
          spellcheck: 'false',
          oninput: (/** @type {any} */ event) => {
            receipts = event.target.value
            redraw()
          },
        }),
      ),
      h(
        'details',
        { open: isForeign ? true : null },
        h('summary', null, t('check_keys')),
        isForeign && h('p.trouble', { key: 'foreign', role: 'alert' }, t('check_foreign')),
        h('label.small', { for: 'check-keys' }, t('check_keys_help')),
        h('textarea', {
          id: 'check-keys',
          rows: '2',
          value: keys,
          spellcheck: 'false',
          oninput: (/** @type {any} */ event) => (keys = event.target.value),
        }),
        h('label.small', { for: 'check-tree' }, t('check_tree_keys')),
        h('textarea', {
          id: 'check-tree',
          rows: '2',
          value: treeKeys,
          spellcheck: 'false',
          oninput: (/** @type {any} */ event) => (treeKeys = event.target.value),
        }),
      ),
      trouble(problem),
      h(
        'button.main.large',
        { type: 'submit', disabled: working },
        working ? t('check_working') : t('check_go'),
      ),
    )
  }

  /** @param {Found} report */
  function stamp({ checks }) {
    const count = (/** @type {string} */ outcome) =>
      checks.filter(({ verdict }) => verdict.outcome === outcome).length
    const fails = count('fail') > 0
    return h(
      'div',
      { class: fails ? 'stamp fails' : 'stamp', role: 'status' },
      icon(fails ? 'cross' : 'seal'),
      h(
        'div',
        null,
        h('h2', null, t(fails ? 'stamp_fails' : isForeign ? 'stamp_open' : 'stamp_holds')),
        h(
          'p',
          null,
          t('stamp_counts', { holds: count('pass'), fails: count('fail'), open: count('not_run') }),
        ),
      ),
      fails && h('button', { type: 'button', onclick: save }, t('save_evidence')),
    )
  }

  function save() {
    const evidence = {
      replay: text,
      receipts: notes(receipts),
      keys: lines(keys),
      restores,
      tree_keys: lines(treeKeys),
      checks: found?.checks,
    }
    const link = document.createElement('a')
    link.href = URL.createObjectURL(
      new Blob([JSON.stringify(evidence, null, 1)], { type: 'application/json' }),
    )
    link.download = `evidence-${found?.genesis?.game ?? 'game'}.json`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
  }

  /** @param {Found['checks'][number]} check */
  function one({ no, name, verdict }) {
    const sign = { pass: 'tick', fail: 'cross', not_run: 'dash' }[verdict.outcome]
    const word = { pass: t('holds'), fail: t('fails'), not_run: t('not_run') }[verdict.outcome]
    const why = worded(verdict.finding)
    const said = verdict.seq === null ? why : t('at_entry', { seq: verdict.seq, why })
    const place = verdict.outcome === 'fail' && verdict.seq !== null ? entryAt(verdict.seq) : null
    return h(
      'li',
      { key: name, class: verdict.outcome },
      h('span.verdict', null, icon(sign), h('strong', null, word)),
      h(
        'div',
        null,
        h('h3', null, t(/** @type {'claim_chain'} */ (`claim_${name}`))),
        h('p', null, said),
        h(
          'details',
          null,
          h('summary', null, t('name_in_format', { name: `${no} ${name}` })),
          h('p.small', null, t(name === 'rules' ? 'by_server' : 'by_browser')),
          place && h('pre', { tabindex: '0' }, place),
        ),
      ),
    )
  }

  /** Returns the contradicting entry, and its receipts. @param {number} seq */
  function entryAt(seq) {
    const kept = notes(receipts).filter((note) => note.split('\n')[2] === String(seq))
    try {
      return [JSON.stringify(JSON.parse(text).entries[seq], null, 1), ...kept].join('\n\n')
    } catch {
      return null
    }
  }

  return {
    title: () => t('check_title'),
    view: () =>
      h(
        'main.narrow.check',
        { id: 'main' },
        form(),
        found &&
          h(
            'section.sheet',
            null,
            stamp(found),
            h('ol.checks', null, found.checks.map(one)),
            players(found),
            found.genesis?.previous && h('p', null, t('check_previous', found.genesis.previous)),
            found.genesis &&
              route.id &&
              h(
                'p',
                null,
                h('a', { href: links.table(route.id) }, t('open_game')),
                ' · ',
                h(
                  'a',
                  { href: `/v1/games/${route.id}/replay`, download: `${route.id}.json` },
                  t('check_download'),
                ),
              ),
            h('h3', null, t('no_proof_title')),
            h('p', null, t('no_proof')),
          ),
      ),
  }
}

/**
 * Returns the keys, if one may have signed the end of this game. Otherwise receipts are not checked.
 * @param {string} text
 * @param {string[]} keys
 */
async function fitting(text, keys) {
  try {
    const receipt = readReceipt(JSON.parse(text).receipt ?? '')
    const read = await Promise.all(keys.map((key) => readKey(key)))
    return !receipt || read.some((key) => key && isOf(key, receipt.line)) ? keys : []
  } catch {
    return keys
  }
}

/**
 * Returns whether a proof belongs to the tree of one of these keys.
 * @param {string} text
 * @param {string[]} keys
 */
function namesTree(text, keys) {
  try {
    const origins = JSON.parse(text).proofs.map(
      (/** @type {string} */ proof) => proof.split('\n\n')[1]?.split('\n')[0],
    )
    return keys.some((key) => origins.includes(key.split('+')[0]))
  } catch {
    return false
  }
}

/** @param {string} text */
const lines = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Returns the number of unreadable receipts. @param {string} text */
const unread = (text) => (text.match(/^fairlog\/3 receipt$/gm) ?? []).length - notes(text).length

/** Splits a text into receipts. @param {string} text */
const notes = (text) =>
  (text.match(/fairlog\/3 receipt\n[^\n]+\n\d+\n\d+\n[0-9a-f]{64}\n\n— \S+ \S+/g) ?? []).map(
    (note) => `${note}\n`,
  )
