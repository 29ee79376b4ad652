// A signed game on a real server (its address is in SERVER), with receipts and two followers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chain, Client, gameId, isProblem, PlayerKey, readReceipt, share } from 'playledger'

const server = new Client(process.env.SERVER ?? 'http://127.0.0.1:8080')

/** Creates a player, a key and a share in the shuffle. */
async function player(name) {
  const {
    token,
    player: { id },
  } = await server.post('/v1/players', { body: { name } })
  const receipts = []
  const client = new Client(process.env.SERVER, {
    token,
    keep: ({ note }) => void receipts.push(readReceipt(note)),
  })
  return { client, id, receipts, key: await PlayerKey.generate(), share: await share() }
}

/** Computes the heads up to the newest entry. */
async function catchUp({ client }, game, chain) {
  for (let more = true; more;) {
    const { items } = await client.get('/v1/games/{id}/log', {
      path: { id: game },
      query: { after: chain.seq },
    })
    await chain.add(items)
    more = items.length > 0
  }
}

test('two players sign, share in the shuffle, and follow their game to its end', async () => {
  const [ada, bob] = [await player('Ada'), await player('Bob')]
  const game = gameId()
  const rules = { ruleset: 'industrial-waste', version: 1 }
  const table = { seats: 2, options: { max_rounds: 2, first_seat: 0, open_cash: false } }
  const terms = {
    ...table,
    rules: { name: rules.ruleset, version: rules.version },
    clock: null,
    event: null,
    previous: null,
    rated: false,
    substitutes: false,
    takebacks: false,
  }
  const joining = ({ id, share }, seat) => ({ game, seat, player: id, commit: share.commit, terms })
  await ada.client.post('/v1/games', {
    body: {
      ...rules,
      ...table,
      id: game,
      rated: false,
      substitutes: false,
      takebacks: false,
      entropy_commit: ada.share.commit,
      signed: await ada.key.join(joining(ada, 0)),
    },
  })
  await bob.client.post('/v1/games/{id}/seats', {
    path: { id: game },
    body: { seat: 1, entropy_commit: bob.share.commit, signed: await bob.key.join(joining(bob, 1)) },
  })
  const followed = Promise.all(
    [ada, bob].map(async ({ client }) => {
      const seqs = []
      for await (const { seq } of client.follow(game, { after: -1 })) seqs.push(seq)
      return seqs
    }),
  )
  for (const { client, share } of [ada, bob]) {
    await client.post('/v1/games/{id}/entropy', { path: { id: game }, body: { entropy: share.entropy } })
  }

  const chain = new Chain()
  for (;;) {
    const { to_act: toAct } = await server.get('/v1/games/{id}/view', { path: { id: game } })
    if (toAct.length === 0) break
    const [seat] = toAct
    const { client, key } = [ada, bob][seat]
    const view = await client.get('/v1/games/{id}/view', { path: { id: game }, query: { with: 'legal' } })
    const { command } = view.legal.commands[0]
    await catchUp(ada, game, chain)
    assert.equal(chain.seq, view.seq)
    const signed = await key.commands({ game, seat, seen: chain.seq, head: chain.head }, [command])
    const sent = { path: { id: game }, body: { expected_seq: view.seq, command, signed } }
    const problem = await client
      .post('/v1/games/{id}/commands', { ...sent, body: { ...sent.body, signed: null } })
      .catch((error) => error)
    assert.ok(isProblem(problem, 'invalid_signature'), String(problem))
    await client.post('/v1/games/{id}/commands', sent)
  }

  await catchUp(ada, game, chain)
  const all = Array.from({ length: chain.seq + 1 }, (_, seq) => seq)
  for (const seqs of await followed) assert.deepEqual(seqs, all)
  for (const { receipts } of [ada, bob])
    assert.ok(receipts.length > 2 && receipts.every((one) => one.game === game))
  const replay = await server.get('/v1/games/{id}/replay', { path: { id: game } })
  assert.equal(replay.entries.at(-1).body.type, 'end')
})

test('a problem has a code', async () => {
  const refused = await server.get('/v1/me').catch((error) => error)
  assert.ok(isProblem(refused, 'unauthorized'))
  assert.equal(refused.status, 401)
})
