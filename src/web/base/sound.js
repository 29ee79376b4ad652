// Sounds of live games, off until a player turns them on.

import { settings } from './store.js'

/** Tones of each sound: frequency in hertz, and when they begin, in seconds. */
const SOUNDS = {
  turn: [
    [523, 0],
    [784, 0.14],
  ],
  low: [
    [440, 0],
    [440, 0.2],
  ],
}

/** @type {AudioContext | null} */
let audio = null

/** Plays a sound, if they are on. @param {keyof typeof SOUNDS} name */
export function play(name) {
  if (!settings().sound || !('AudioContext' in globalThis)) return
  audio ??= new AudioContext()
  // A browser allows sounds after the first press on the page.
  void audio.resume().catch(() => null)
  for (const [pitch = 440, at = 0] of SOUNDS[name]) tone(audio, pitch, audio.currentTime + at)
}

/** @param {AudioContext} audio @param {number} pitch @param {number} begin */
function tone(audio, pitch, begin) {
  const [source, volume] = [audio.createOscillator(), audio.createGain()]
  source.frequency.value = pitch
  volume.gain.setValueAtTime(0.0001, begin)
  volume.gain.exponentialRampToValueAtTime(0.12, begin + 0.02)
  volume.gain.exponentialRampToValueAtTime(0.0001, begin + 0.3)
  source.connect(volume).connect(audio.destination)
  source.start(begin)
  source.stop(begin + 0.32)
}
