// Plays a game with the client that @hey-api/openapi-ts generates.

import { createClient } from './hey/client'
import * as api from './hey'

const baseUrl = process.argv[2] ?? ''
const anyone = createClient({ baseUrl })

/** The answer to a request that must succeed. */
async function done<T>(asked: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await asked
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

async function player(name: string) {
  const { token } = await done(api.createPlayer({ client: anyone, body: { name } }))
  return createClient({ baseUrl, auth: token })
}

const seats = [await player('Ada'), await player('Bob')] as const
const body = { ruleset: 'industrial-waste', seats: 2, options: { max_rounds: 2 } } as const
const { id } = await done(api.createGame({ client: seats[0], body }))
await done(api.joinGame({ client: seats[1], path: { id }, body: {} }))
let commands = 0
for (;;) {
  const { to_act, status } = await done(api.getView({ client: anyone, path: { id } }))
  const client = seats[to_act[0] ?? -1]
  if (!client) {
    if (status !== 'finished') throw new Error(status)
    break
  }
  const view = await done(api.getView({ client, path: { id }, query: { with: 'legal' } }))
  const wanted = view.legal?.commands.find(({ command }) => command.type !== 'take_loan')
  if (!wanted) throw new Error('no command is legal')
  await done(api.sendCommand({ client, path: { id }, body: { expected_seq: view.seq, command: wanted.command } }))
  commands += 1
}
console.log(`${commands} commands with the client of hey-api, to the end`)
