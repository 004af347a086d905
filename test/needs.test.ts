import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

const TESTS = `import { beforeAll, describe, expect, test } from 'vitest'
import { needs } from '${root}/test/needs.ts'

describe('the whole', needs('curl'), () => {
  beforeAll(() => expect.unreachable('nothing may run that needs curl'))
  test('one', () => {})
  test('another', needs('jq'), () => {})
})
test.for([1, 2])('row %i', needs('curl'), () => {})
test('needs nothing', needs(), () => {})
test.skip('waits for better days', () => {})
describe('behind a hook', () => {
  beforeAll(() => {
    if (process.env.BREAKS) throw new Error('broken')
  })
  test('runs', () => {})
})
`

let folder: string

beforeAll(() => {
  mkdirSync(join(root, 'test/.tmp'), { recursive: true })
  // Inside of the repository, whose Vitest it imports.
  folder = mkdtempSync(join(root, 'test/.tmp/needs-'))
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `import { SkippedTests } from '${root}/tooling/skipped-tests.ts'
export default { test: { reporters: ['default', new SkippedTests()] } }
`,
  )
  writeFileSync(join(folder, 'a.test.ts'), TESTS)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs those tests on a machine without any program. */
function run(env: Record<string, string>): Promise<{ code: number; output: string }> {
  const words = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder]
  const options = { env: { PATH: '', NO_COLOR: '1', ...env } }
  return new Promise((resolve) =>
    execFile(process.execPath, words, options, (error, out, said) =>
      resolve({ code: Number(error?.code ?? 0), output: out + said }),
    ),
  )
}

test('a run says how many tests it skipped for each thing that the machine lacks, and which for none', async () => {
  const SKIPPED_TESTS = join(folder, 'skipped.json')
  const { code, output } = await run({ SKIPPED_TESTS })
  expect(code, output).toBe(0)
  expect(output).toMatch(/Tests {2}2 passed \| 5 skipped/)
  expect(output.match(/^ Not proven here: .*$/gm)).toEqual([
    ' Not proven here: 4 tests need curl (apt-get install curl)',
    ' Not proven here: 1 test needs jq (apt-get install jq)',
    ' Not proven here: a test is skipped: a.test.ts > waits for better days',
  ])
  expect(JSON.parse(readFileSync(SKIPPED_TESTS, 'utf8'))).toEqual({
    whole: [],
    partly: ['a.test.ts'],
    names: ['the whole > one', 'the whole > another', 'row 1', 'row 2', 'waits for better days'],
  })
})

test('what did not run since a hook failed is no skipped test', async () => {
  const { code, output } = await run({ BREAKS: '1' })
  expect(code).toBe(1)
  expect(output).toContain('Error: broken')
  expect(output.match(/^ Not proven here: .*$/gm)).toHaveLength(3)
})

test.for(['all', 'python3,curl'])('with REQUIRE=%s, what needs curl fails', async (REQUIRE) => {
  const { code, output } = await run({ REQUIRE })
  expect(code).toBe(1)
  expect(output).toContain(
    'Error: REQUIRE names curl, which this machine lacks: apt-get install curl',
  )
  expect(output).toMatch(/❯ .*a\.test\.ts:4:23/)
})

test('with REQUIRE, what needs other things is skipped', async () => {
  const { code, output } = await run({ REQUIRE: 'python3' })
  expect(code, output).toBe(0)
})

test('a name in REQUIRE that no test needs fails', async () => {
  const { code, output } = await run({ REQUIRE: 'crul' })
  expect(code).toBe(1)
  expect(output).toContain('Error: REQUIRE names crul. What tests need is chromium, ')
})

test('no test is skipped in another way', () => {
  const files = globSync('test/**/*.test.ts', {
    cwd: root,
    exclude: ['test/{projects,.tmp,lab/scenarios}/**', 'test/needs.test.ts'],
  })
  expect(files.length).toBeGreaterThan(400)
  const others = /\b(?:skipIf|runIf)\(|^\s*(?:test|describe)\.skip\b|\{ skip \}|context\.skip\(/m
  expect(files.filter((file) => others.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})
