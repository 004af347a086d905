import { expect, test } from 'vitest'
import { countPasses } from '../../../src/features/count-passes.ts'
import { SLOW_REASONS, type SlowCalls } from '../../../src/replay/slow-reason.ts'
import { question, recorded } from '../../engine/example-session.ts'
import { expectGolden } from '../../golden.ts'
import { CliProject } from '../run-cli.ts'

const cassette = recorded([question('a'), 'one'])

/** A project whose tests replayed so in their last run. */
async function openProject(runs: Array<{ byHash: number; slow: SlowCalls }>): Promise<CliProject> {
  const project = new CliProject()
  for (const [at, calls] of runs.entries()) {
    const path = `${at}.test.ts/asks-0123456789.json`
    await project.save(path, cassette)
    const attempt = { cassette: `__recordings__/${path}`, recording: cassette.timestamp }
    await countPasses(project.root, [{ ...attempt, passed: true, calls }], new Date())
  }
  return project
}

/** What `show --stats` says below its bars. */
async function told(project: CliProject, command: string = 'show --stats'): Promise<string> {
  const { out } = await project.run(...command.split(' '))
  const start = out.search(/^\d+ of .* in the last run/m)
  return start < 0 ? '' : out.slice(start)
}

test('each reason is told once, the most frequent first, with the commands that help', async () => {
  const all = Object.fromEntries(SLOW_REASONS.map((reason, at) => [reason, at + 1]))
  using project = await openProject([{ byHash: 3, slow: { ...all, 'option:pace+redact': 99 } }])
  await expectGolden(await told(project), 'all-reasons')
})

test('tests are added up, and a command names their files while they are few', async () => {
  const slow = { 'key-order': 1, after: 2 }
  using few = await openProject([
    { byHash: 1, slow },
    { byHash: 4, slow: { 'key-order': 1 } },
    { byHash: 9, slow: {} },
  ])
  await expectGolden(await told(few), 'two-files')
  const { lastRun } = JSON.parse((await few.run('show', '--stats', '--json')).out)
  expect(lastRun).toMatchObject({ calls: 18, byHash: 14 })
  expect(lastRun.slow.map(({ reason, calls, command }: any) => [reason, calls, command])).toEqual([
    ['key-order', 2, 'npx vitest-cassette record --prompts 0.test.ts 1.test.ts'],
    ['after', 2, undefined],
  ])
  using many = await openProject(Array(4).fill({ byHash: 0, slow }))
  expect(await told(many)).toMatch(/record --prompts$/m)
})

test('verify says nothing where no command helps, but in its data', async () => {
  using project = await openProject([{ byHash: 0, slow: { client: 2 } }])
  expect(await told(project, 'verify')).toBe('')
  expect(await told(project)).not.toBe('')
  const { lastRun } = JSON.parse((await project.run('verify', '--json')).out)
  expect(lastRun.slow).toMatchObject([{ reason: 'client', calls: 2 }])
})

test('nothing is said of another recording than that of the last run', async () => {
  using project = await openProject([{ byHash: 0, slow: { 'key-order': 2 } }])
  await project.save('0.test.ts/asks-0123456789.json', {
    ...cassette,
    timestamp: '2026-02-01T00:00:00.000Z',
  })
  expect(await told(project)).toBe('')
  expect(JSON.parse((await project.run('verify', '--json')).out)).not.toHaveProperty('lastRun')
})
