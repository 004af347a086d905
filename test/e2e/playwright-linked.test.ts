import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { workspace } from './install-package.ts'
import { VitestProject } from './vitest-project.ts'

const PLAYWRIGHT = fileURLToPath(
  new URL('../../node_modules/@playwright/test/cli.js', import.meta.url),
)

/** What a test that has no cassette names. */
const RECORD = /RECORD=1 npx playwright test .*linked\.spec\.ts/

test('a linked package, which Playwright compiles, says how it is left out', async () => {
  const project = new VitestProject('playwright')
  cpSync(`${workspace()}/node_modules/vitest-cassette`, `${project.dir}/linked`, {
    recursive: true,
  })
  mkdirSync(`${project.dir}/node_modules`, { recursive: true })
  symlinkSync('../linked', `${project.dir}/node_modules/vitest-cassette`)
  project.write(
    'linked.spec.ts',
    `import { test } from 'vitest-cassette/playwright'
test('asks', async () => {
  const body = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hi' }] })
  await fetch('https://api.openai.com/v1/chat/completions', { method: 'POST', body })
})
`,
  )
  const run = async (build: string): Promise<string> => {
    project.write('linked.config.ts', `export default { testMatch: 'linked.spec.ts', ${build} }`)
    const command = `node ${PLAYWRIGHT} test --config linked.config.ts 2>&1`
    return (await project.shell(command)).output
  }
  const compiled = await run('')
  expect(compiled).not.toMatch(RECORD)
  expect(compiled).not.toMatch(/^ *Run the test again/m)
  const [, build] = /its config:\n +(build: .*)/.exec(compiled) ?? []
  expect(build, compiled).toBe(`build: { external: ['${project.dir}/linked/dist/**'] }`)
  expect(await run(build!)).toMatch(RECORD)
})
