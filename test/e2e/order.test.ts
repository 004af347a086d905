import { expect, test } from 'vitest'
import { VitestProject } from './vitest-project.ts'

// Some file systems hold only one of both names, so no scenario of the lab has them.
test('two test files whose names differ in how a letter is composed are not recorded into one another', async () => {
  const named = new VitestProject('basics')
  for (const name of ['caf\u00e9', 'cafe\u0301'])
    named.write(
      `${name}.test.ts`,
      "import { test } from 'vitest'\nimport { ask } from '../ask.ts'\n\ntest('asks', () => ask('Hello'))\n",
    )
  const recorded = await named.record(['caf'])
  expect(recorded.exitCode).toBe(1)
  expect(recorded.output).toContain('caf\\u00e9.test.ts and cafe\\u0301.test.ts')
  expect(named.files()).toEqual([])
})
