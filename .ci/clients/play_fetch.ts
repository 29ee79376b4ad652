// Plays a game with the TypeScript client of openapi-generator, and reads additions.

import { readFileSync } from 'node:fs'
import { Configuration, CoreApi, type Command } from './fetch'

const basePath = process.argv[2] ?? ''
const additions = JSON.parse(readFileSync(process.argv[3] ?? '', 'utf8'))
const api = (accessToken?: string) => new CoreApi(new Configuration({ basePath, ...(accessToken && { accessToken }) }))

async function player(name: string) {
  return api((await api().createPlayer({ newPlayer: { name } })).token)
}

const seats = [await player('Ada'), await player('Bob')]
const newGame = { ruleset: 'ecopolis', seats: 2, options: { maxRounds: 3 } } as const
const { id } = await seats[0]!.createGame({ newGame })
await seats[1]!.joinGame({ id, newSeat: {} })
let commands = 0
for (;;) {
  const { toAct, status } = await api().getView({ id })
  const seat = seats[toAct[0] ?? -1]
  if (!seat) {
    if (status !== 'finished') throw new Error(status)
    break
  }
  const view = await seat.getView({ id, _with: 'legal' })
  const command = view.legal?.commands[0]?.command as Command
  await seat.sendCommand({ id, newCommand: { expectedSeq: view.seq, command } })
  commands += 1
}
console.log(`${commands} commands with the client of openapi-generator, to the end`)

/** A client whose server answers with this. */
const answered = (body: unknown) =>
  new CoreApi(new Configuration({ basePath, fetchApi: async () => new Response(JSON.stringify(body)) }))
const read = async (path: string): Promise<any> => (await fetch(`${basePath}/v1${path}`)).json()
const must = (holds: boolean, what: unknown) => {
  if (!holds) throw new Error(JSON.stringify(what))
}

const view = await answered({ ...(await read(`/games/${id}/view`)), ...additions.view }).getView({ id })
must(view.ruleset === 'chess' && view.status === 'adjourned', view)
const games = await read('/games')
Object.assign(games.items[0], additions.game)
const page = await answered(games).listGames()
must(page.items[0]?.ruleset === 'chess' && page.items[0].status === 'adjourned', page)
const events = await read(`/games/${id}/events`)
events.items[0].events.push(additions.event)
const told = await answered(events).listEvents({ id })
must(told?.items[0]?.events.at(-1)?.type === 'spectator_came', told)
console.log('additions are read')
