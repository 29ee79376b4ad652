// Checks of a page: accessibility, and the width of the screen.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Checks accessibility with axe, in light and dark. It runs outside the page's content policy. */
export async function accessible(page) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(AXE)
    const { violations } = await page.evaluate(() =>
      globalThis.axe.run(document, { resultTypes: ['violations'] }),
    )
    assert.deepEqual(
      violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map(({ html }) => html.slice(0, 160))
            .join(' | ')}`,
      ),
      [],
      `${page.url()} ${colorScheme}`,
    )
  }
}

/** Checks that no element is wider than the screen. */
export async function fits(page) {
  const wider = await page.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return []
    const beyond = [...document.body.querySelectorAll('*')].filter(
      (one) => one.getBoundingClientRect().right > innerWidth + 1,
    )
    return beyond
      .slice(0, 5)
      .map(
        (one) =>
          `${one.tagName} ${one.className.baseVal ?? one.className} ${one.getBoundingClientRect().right}`,
      )
  })
  assert.deepEqual(wider, [], page.url())
}
