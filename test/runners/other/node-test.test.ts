import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** What the oldest Node has that can run this package: a name that it lacks would fail every import. */
const OLDEST = 'after afterEach before beforeEach describe mock run suite'

test('passes on what the oldest supported Node has, and no other name', () => {
  const source = readFileSync(
    new URL('../../../src/runners/other/node-test.ts', import.meta.url),
    'utf8',
  )
  const [, names] = /^export \{([^}]*)\} from 'node:test'/m.exec(source)!
  expect(
    names!
      .split(/[\s,]+/)
      .filter(Boolean)
      .join(' '),
  ).toBe(OLDEST)
  expect(source.match(/^import .* from 'node:test'/gm)).toEqual(["import node from 'node:test'"])
})
