// All that the page says by itself: English, then Italian.

import { CHECK } from './texts/check.js'
import { HOME } from './texts/home.js'
import { TABLE } from './texts/table.js'

export const TEXTS = { ...HOME, ...TABLE, ...CHECK }
