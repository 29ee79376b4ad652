// Invitations to tables of people with whom the player has played. They last until they are answered or the
// table is full.

import { get } from './api.js'
import { links } from './route.js'
import { remember, remembered } from './store.js'

/** @typedef {{game: string, link: string, by: string, ruleset: string}} Invitation */

const KEPT = 'invitations'

/** @returns {Invitation[]} */
export const invitations = () => remembered(KEPT) ?? []

/** Forgets an invitation. @param {string} game */
export const answer = (game) =>
  remember(
    KEPT,
    invitations().filter((one) => one.game !== game),
  )

/**
 * Keeps an invitation, with the names of the host and the game.
 * @param {{game: string, invite: string | null, by: string}} told
 */
export async function keep({ game, invite, by }) {
  const table = await get(invite ? `/v1/invites/${invite}` : `/v1/games/${game}`)
  const host = table.seats.find((/** @type {any} */ { player }) => player?.id === by)?.player
  const { name } = await get(`/v1/rulesets/${table.ruleset}`)
  answer(game)
  remember(KEPT, [
    ...invitations(),
    { game, link: invite ? links.invite(invite) : links.table(game), by: host?.name ?? '', ruleset: name },
  ])
}

/** Drops invitations to tables that are no longer open. */
export async function lookAtInvitations() {
  for (const { game, link } of invitations()) {
    const path = link.startsWith('/invite/') ? `/v1/invites/${link.slice(8)}` : `/v1/games/${game}`
    const table = await get(path).catch((problem) => (problem.status === 404 ? { status: 'void' } : null))
    if (table && table.status !== 'open') answer(game)
  }
}
