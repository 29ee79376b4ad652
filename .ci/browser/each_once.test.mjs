// Commands that differ only in the order of a list are offered once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachOnce } from '../../src/web/table/each_once.js'

test('of commands that differ only in the order of a list the first is kept', () => {
  const command = (...actions) => ({ command: { type: 'exchange_actions', actions } })
  const all = [command('a', 'b'), command('b', 'a'), command('a', 'a'), { command: { type: 'end_turn' } }]
  assert.deepEqual(eachOnce(all, 'actions'), [all[0], all[2], all[3]])
})
