// The page on which a game is checked.

/** @satisfies {Record<string, [string, string]>} */
export const CHECK = {
  check_title: ['Check a game', 'Verifica una partita'],
}
