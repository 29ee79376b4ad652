// The pictures of codes, as a reader of others reads them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsqr from 'jsqr'
import { squares } from '../../../../src/web/base/qr.js'

test('every length of text is read back', () => {
  for (let length = 1; length <= 134; length += 7) {
    const text = 'https://play.example/invite/Abc-09_'.repeat(4).slice(0, length)
    const grid = squares(text)
    const size = (grid.length + 8) * 4
    const pixels = new Uint8ClampedArray(size * size * 4).fill(255)
    grid.forEach((line, y) =>
      line.forEach((dark, x) => {
        for (let at = 0; dark && at < 16; at += 1)
          pixels.fill(
            0,
            4 * (((y + 4) * 4 + (at >> 2)) * size + (x + 4) * 4 + (at & 3)),
            4 * (((y + 4) * 4 + (at >> 2)) * size + (x + 4) * 4 + (at & 3)) + 3,
          )
      }),
    )
    assert.equal(jsqr(pixels, size, size)?.data, text, `${length} characters`)
  }
  assert.equal(squares('x'.repeat(135)), null)
})
