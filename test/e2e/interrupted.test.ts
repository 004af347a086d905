import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { randomNumbers } from '../random.ts'
import { startUpstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

const KILLS = 10
const JOURNALS = 'node_modules/.cache/vitest-cassette/journal/__recordings__'
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))

test(
  `of ${KILLS} runs that are killed while they record, no answer has to be asked for again`,
  { timeout: 240_000 },
  async () => {
    const upstream = await startUpstream()
    const env = { UPSTREAM_URL: upstream.oddUrl }
    const project = new VitestProject('saving', env)
    const random = randomNumbers()
    let paid = 0
    let kept = 0
    for (let kill = 0; kill < KILLS; kill++) {
      if (project.files(JOURNALS).length > 0) project.remove(JOURNALS)
      const before = await upstream.count()
      await recordAndKill(project, env, random() * 50)
      const asked = (await upstream.count()) - before
      const journals = project.files(JOURNALS).map((file) => project.read(`${JOURNALS}/${file}`))
      const answers = journals.flatMap((journal) => journal.split('\n').filter(isWhole))
      // The test asks one question after the other, so only the last answer can be on its way.
      expect(asked - answers.length).toBeLessThanOrEqual(1)
      paid += asked
      kept += answers.length
    }
    // The runs of other files have nothing to do with it.
    const other = await project.run(['saving.test.ts'])
    expect(other.output).not.toContain('Interrupted')
    const run = await project.run(['large.test.ts'])
    expect(run.output).toMatch(/Interrupted {2}1 recording.*npx vitest-cassette recover/s)
    const named = /To use them first:\n +npx vitest-cassette recover\n/g
    expect(run.output.match(named)).toHaveLength(1)
    const told = JSON.parse(project.read('node_modules/.cache/vitest-cassette/failures.json'))
    expect(told.commands.recover).toBe('npx vitest-cassette recover --yes')

    const recovery = await project.cli('recover --yes')
    expect(recovery.exitCode, recovery.output).toBe(0)
    const recovered = Number(/(\d+) answers? /.exec(recovery.output)?.[1])
    const before = await upstream.count()
    const rest = await project.run(['large.test.ts'], { RECORD: 'new' })
    const asked = (await upstream.count()) - before
    await upstream.stop()
    console.log(
      `${KILLS} killed runs: ${kept} of ${paid} answers kept, ${paid - kept} on their way`,
    )
    expect(rest.exitCode, rest.output).toBe(0)
    expect(asked + recovered).toBe(20)
    const replay = await project.run(['large.test.ts'])
    expect(replay.exitCode, replay.output).toBe(0)
  },
)

/** Kills the process group of a run so many milliseconds after its first answer. */
async function recordAndKill(
  project: VitestProject,
  env: Record<string, string>,
  after: number,
): Promise<void> {
  const child = spawn(process.execPath, [vitest, 'run', 'large.test.ts', '--testTimeout=60000'], {
    cwd: project.dir,
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env.PATH, RECORD: '1', ...env },
  })
  const ended = once(child, 'exit')
  while (project.files(JOURNALS).length === 0 && child.exitCode === null) await delay(5)
  await delay(after)
  if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL')
  await ended
}

function isWhole(line: string): boolean {
  return line.endsWith('}') && line.startsWith('{')
}
