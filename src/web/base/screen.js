// The size of the screen.

/** Returns whether the screen is as narrow as that of a telephone. */
export const isSmall = () => matchMedia('(max-width: 760px)').matches
