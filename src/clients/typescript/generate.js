// Generates src/api.ts from openapi.json, without the `Other` variants of unions: TypeScript cannot narrow a union
// with an open discriminator.

import { readFileSync, writeFileSync } from 'node:fs'
import openapi, { astToString } from 'openapi-typescript'

const isOther = ({ $ref }) => /[/.]Other\w+$/.test($ref ?? '')

const document = JSON.parse(
  readFileSync(new URL('../../../openapi/openapi.json', import.meta.url), 'utf8'),
  (_, value) => {
    if (Array.isArray(value?.oneOf)) value.oneOf = value.oneOf.filter((part) => !isOther(part))
    return value
  },
)
writeFileSync(new URL('src/api.ts', import.meta.url), astToString(await openapi(document)))
