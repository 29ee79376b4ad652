// The page's own texts: English, then Italian.

import { CHECK } from './texts/check.js'
import { HOME } from './texts/home.js'
import { MODERATION } from './texts/moderation.js'
import { MOMENTS } from './texts/moments.js'
import { TABLE } from './texts/table.js'
import { TOLD } from './texts/told.js'

export const TEXTS = { ...HOME, ...TABLE, ...MODERATION, ...MOMENTS, ...CHECK, ...TOLD }
