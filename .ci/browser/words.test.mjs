// Texts of the page: each once, in both languages, with the same arguments.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHECK } from '../../src/web/texts/check.js'
import { HOME } from '../../src/web/texts/home.js'
import { MODERATION } from '../../src/web/texts/moderation.js'
import { MOMENTS } from '../../src/web/texts/moments.js'
import { TABLE } from '../../src/web/texts/table.js'
import { TOLD } from '../../src/web/texts/told.js'

test('every text has a name of its own, and both languages have its arguments', () => {
  const all = [HOME, TABLE, MOMENTS, CHECK, TOLD, MODERATION].flatMap((texts) => Object.entries(texts))
  const names = all.map(([name]) => name)
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  )
  const args = (text) => [...new Set(text.match(/\{\w+/g))].sort().join()
  for (const [name, [english, italian]] of all) assert.equal(args(english), args(italian), name)
})
