// Lost connections: the client repeats its request under the same key, and resumes streams.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { Client, isProblem } from 'playledger'

/** Runs a server with a function for each request, and returns the requests. */
async function answering(answers, ask) {
  const requests = []
  const server = createServer((request, answer) => {
    requests.push({ ...request.headers, path: request.url })
    answers[requests.length - 1](answer, request)
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  try {
    await ask(new Client(`http://127.0.0.1:${server.address().port}/`))
  } finally {
    server.closeAllConnections()
    server.close()
  }
  return requests
}

test('a change is sent again under its key', async () => {
  const answers = [
    (answer) => answer.writeHead(503, { 'Retry-After': '0' }).end(),
    (_, request) => request.socket.destroy(),
    (answer) => answer.writeHead(201, { 'Content-Type': 'application/json' }).end('{"token":"plg_x"}'),
  ]
  const requests = await answering(answers, async (client) => {
    assert.deepEqual(await client.post('/v1/players', { body: { name: 'Ada' } }), { token: 'plg_x' })
  })
  assert.equal(requests.length, 3)
  assert.equal(new Set(requests.map((one) => one['idempotency-key'])).size, 1)
})

test('a refusal is not sent again, and one without a document has a code too', async () => {
  const answers = [(answer) => answer.writeHead(413).end('<html>')]
  await answering(answers, async (client) => {
    const error = await client.post('/v1/players', { body: { name: 'Ada' } }).catch((error) => error)
    assert.ok(isProblem(error, 'unknown') && error.status === 413)
  })
})

test('a stream continues after the last event', async () => {
  const type = { 'Content-Type': 'text/event-stream' }
  const answers = [
    (answer) =>
      answer
        .writeHead(200, type)
        .write(': hello\n\nid: 4\ndata: {"seq":4}\n\nid: 5\ndata: {"se', () => answer.destroy()),
    (answer) => answer.writeHead(503).end(),
    (answer) =>
      answer.writeHead(200, type).end('id: 5\ndata: {"seq":5}\n\nid: 6\nevent: end\ndata: {"seq":6}\n\n'),
  ]
  const seqs = []
  const requests = await answering(answers, async (client) => {
    for await (const { seq } of client.follow('g', { after: 3, legal: true, views: true })) seqs.push(seq)
  })
  assert.deepEqual(seqs, [4, 5])
  assert.deepEqual(
    requests.map((one) => one['last-event-id']),
    [undefined, '4', '4'],
  )
  assert.equal(requests[0].path, '/v1/games/g/events?after=3&views=true&with=legal')
})

test('a stream that may not be read fails, and one that is left ends its connection', async () => {
  const refused = [
    (answer) =>
      answer.writeHead(404, { 'Content-Type': 'application/problem+json' }).end('{"code":"not_found"}'),
  ]
  await answering(refused, async (client) => {
    const error = await client
      .follow('g', { after: 3 })
      .next()
      .catch((error) => error)
    assert.ok(isProblem(error, 'not_found'))
  })
  let closed
  const left = new Promise((done) => (closed = done))
  const endless = [
    (answer, request) => {
      request.socket.once('close', closed)
      answer.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('id: 4\ndata: {"seq":4}\n\n')
    },
  ]
  await answering(endless, async (client) => {
    for await (const { seq } of client.follow('g', { after: 3 })) {
      assert.equal(seq, 4)
      break
    }
    await left
  })
})
