import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startUpstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

const OLD = fileURLToPath(
  new URL('../../tooling/vitest-2/node_modules/vitest/vitest.mjs', import.meta.url),
)
const LINE = 'vitest-cassette needs Vitest 3.2 or later, and this is Vitest 2.1.9: '

test.each([
  [
    'the plugin',
    "import { cassettes } from 'vitest-cassette/plugin'\nexport default { plugins: [cassettes()] }",
  ],
  ['the set-up file alone', "export default { test: { setupFiles: ['vitest-cassette/setup'] } }"],
  ['a set-up of its own', "export default { test: { setupFiles: ['./setup.ts'] } }"],
])(
  'a release of Vitest that is too old is refused by %s, and no provider is asked',
  async (_, config) => {
    const upstream = await startUpstream()
    const project = new VitestProject('modes', { UPSTREAM_URL: upstream.oddUrl })
    project.write('setup.ts', "import 'vitest-cassette/setup'\n")
    project.write('vitest.config.ts', config)
    for (const RECORD of ['1', undefined]) {
      const { exitCode, output } = await project.shell(`node ${OLD} run 2>&1`, { RECORD })
      expect(exitCode, output).toBe(1)
      expect(output).toContain(LINE)
    }
    expect(await upstream.count()).toBe(0)
    await upstream.stop()
  },
)
