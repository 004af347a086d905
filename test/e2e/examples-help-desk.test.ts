import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { CHROMIUM } from '../../examples/screen-agent/test/chromium.ts'
import { needs } from '../needs.ts'
import { freePort } from './free-port.ts'
import { VitestProject, type Run } from './vitest-project.ts'

const example = fileURLToPath(new URL('../../examples/help-desk', import.meta.url))
const installed = join(example, 'node_modules')

// Its cassettes are committed: nothing is started here that could answer.
describe('the help desk, in Next.js', needs('help-desk'), () => {
  let project: VitestProject
  let built: Run

  beforeAll(async () => {
    project = new VitestProject(example, { NEXT_TELEMETRY_DISABLED: '1', CHROMIUM })
    symlinkSync(installed, join(project.dir, 'node_modules'))
    // A link may not lead out of the root.
    project.edit('next.config.ts', "'../..'", "'../../../..'")
    built = await project.shell('node node_modules/next/dist/bin/next build')
  }, 400_000)

  test('its route, its action and what "next start" asks are replayed, without a key', async () => {
    expect(built.exitCode, built.output).toBe(0)
    const { exitCode, output } = await project.run([], { CI: '1' })
    expect(exitCode, output).toBe(0)
    expect(output).toContain('Exchanges  7 replayed')
  })

  test('a customer asks in Chromium', needs('chromium'), async () => {
    const { exitCode, output } = await playwright()
    expect(exitCode, output).toBe(0)
    expect(output).toContain('2 passed')
  })

  test('a changed prompt fails each test of Vitest in which it is asked, with the diff', async () => {
    changePrompt()
    const run = await project.run()
    expect(run.exitCode).toBe(1)
    expect(run.output).toContain('Tests  3 failed | 1 passed')
    expect(run.output).toContain('FAIL  test/start.test.ts > it answers for order 7')
    expect(run.output).toContain(
      '+ You are the help desk of a lamp shop. Answer in {+two sentences+}.',
    )
  })

  test(
    'a changed prompt fails each test of Playwright in which it is asked, with the diff',
    needs('chromium'),
    async () => {
      changePrompt()
      const { exitCode, output } = await playwright()
      expect(exitCode).toBe(1)
      const [, shown] = /```\n([^]+)\n```/.exec(project.read('README.md'))!
      for (const line of shown!.split('\n')) expect(output).toContain(line.trim())
    },
  )

  /** Changes the prompt until the end of the test. */
  function changePrompt(): void {
    const [from, to] = ['Answer in one sentence.', 'Answer in two sentences.'] as const
    replaceEverywhere(from, to)
    onTestFinished(() => replaceEverywhere(to, from))
  }

  /** Edits the source, and what was built of it, as another build would, which takes half a minute. */
  function replaceEverywhere(from: string, to: string): void {
    const built = project.files('.next/server').filter((file) => file.endsWith('.js'))
    for (const file of ['app/api/chat/route.ts', ...built.map((name) => `.next/server/${name}`)])
      if (project.read(file).includes(from)) project.edit(file, from, to)
  }

  async function playwright(): Promise<Run> {
    const cli = fileURLToPath(
      new URL('../../node_modules/@playwright/test/cli.js', import.meta.url),
    )
    return project.shell(`node ${cli} test 2>&1`, { PORT: await freePort() })
  }
})
