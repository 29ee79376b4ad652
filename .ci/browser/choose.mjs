// A simple player, so that games end.

/** Returns a chooser among the texts of buttons. It prefers progress over repetition. */
export function chooser(seed = 1) {
  let state = seed
  const next = (bound) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return state % bound
  }
  return (words) => {
    const liked = words.filter(
      (text) =>
        !/loan|prestit|discard|scarta|swap|scambia|save |conserva|bankrupt|fallimento|with advisor|con (un )?consigliere/i.test(
          text,
        ),
    )
    const among = liked.length ? liked : words.filter((text) => !/loan|prestit/i.test(text))
    return (among.length ? among : words)[next((among.length ? among : words).length)]
  }
}
