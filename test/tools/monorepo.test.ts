import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Journal } from '../../src/cassette/journal.ts'
import { cassettePath, conversationId } from '../../src/cassette/paths.ts'
import { CassetteStore } from '../../src/cassette/store.ts'
import { isRecorded } from '../../src/cassette/cassette.ts'
import { Statistics } from '../../src/features/run-statistics.ts'
import { question, recorded } from '../engine/example-session.ts'
import { CliProject } from './run-cli.ts'

const PLACE = { file: 'greet.test.ts', titles: ['greets'], ordinal: 0 }
const PATH = cassettePath(PLACE)

/** A repository with a cassette in each of two packages, and in the root where that is asked for. */
async function openMonorepo(roots: string[] = ['packages/a', 'packages/b']): Promise<CliProject> {
  const project = new CliProject()
  for (const name of roots) {
    const root = join(project.root, name)
    mkdirSync(root, { recursive: true })
    writeFileSync(join(root, 'package.json'), JSON.stringify({ name: `@acme/${name.at(-1)}` }))
    writeFileSync(join(root, 'greet.test.ts'), '')
    const cassette = recorded([question(`Hello from ${name}?`), 'Hi!'])
    await new CassetteStore(root, '__recordings__', 1e9).save(PATH, {
      ...cassette,
      conversationId: conversationId(PLACE),
    })
  }
  return project
}

const A = `packages/a/__recordings__/${PATH}`
const B = `packages/b/__recordings__/${PATH}`

/** What `verify --json` says, with its exit code. */
async function verified(project: CliProject, ...words: string[]): Promise<object> {
  const { code, out, problems } = await project.run('verify', '--json', ...words)
  expect(problems).toBe('')
  return { code, ...(JSON.parse(out) as object) }
}

test('verify finds the cassettes of every package, each with its own test files', async () => {
  using project = await openMonorepo(['.', 'packages/a', 'packages/b'])
  expect(await verified(project)).toMatchObject({ cassettes: 3, exchanges: 3, findings: [] })
  rmSync(join(project.root, 'packages/b/greet.test.ts'))
  expect(await verified(project)).toMatchObject({
    code: 1,
    cassettes: 3,
    exchanges: 3,
    findings: [{ check: 'test-files', file: B, problem: expect.stringContaining('greet.test.ts') }],
  })
})

test('a folder that is named is judged by its own project, as often as one is named', async () => {
  using project = await openMonorepo()
  for (const name of ['packages/a/__recordings__', join(project.root, 'packages/a/__recordings__')])
    expect(await verified(project, '--dir', name)).toMatchObject({
      code: 0,
      cassettes: 1,
      exchanges: 1,
      findings: [],
    })
  const both = ['--dir', 'packages/a/__recordings__', '--dir', 'packages/b/__recordings__']
  expect((await project.run('verify', ...both)).out).toMatch(/^2 cassettes/)
  const { out } = await project.run('show', ...both)
  expect(out).toContain(A)
  expect(out).toContain(B)
})

test('verify looks at a path of any package, and names one that is in none', async () => {
  using project = await openMonorepo()
  for (const path of ['packages/a', 'packages/a/__recordings__/greet.test.ts', A])
    expect((await project.run('verify', path)).out).toMatch(/^1 cassette, /)
  const { code, problems } = await project.run('verify', 'packages/c')
  expect(code).toBe(2)
  expect(problems).toMatch(/packages\/c.* packages\/a\/__recordings__, packages\/b/)
})

test('a folder below the root of its project is judged from that root', async () => {
  using project = new CliProject()
  mkdirSync(join(project.root, 'test'))
  writeFileSync(join(project.root, 'test/greet.test.ts'), '')
  const place = { ...PLACE, file: 'test/greet.test.ts' }
  const store = new CassetteStore(project.root, 'test/__recordings__', 1e9)
  await store.save(cassettePath(place), {
    ...recorded([question('Hello?'), 'Hi!']),
    conversationId: conversationId(place),
  })
  expect(await verified(project)).toMatchObject({ code: 0, cassettes: 1, findings: [] })
})

test('list, stats and show name cassettes from where the user stands, with the project', async () => {
  using project = await openMonorepo()
  const list = await project.run('show')
  expect(list.out).toContain(A)
  expect(list.out).toContain(B)
  const stats = await project.run('show', '--stats')
  expect(stats.out).toContain('|@acme/a| greet.test.ts > greets')
  expect(stats.out).toContain('|@acme/b| greet.test.ts')
  expect((await project.run('show', B)).out).toMatch(/Hello from packages\/b\?/)
  expect((await project.run('show', 'packages/b')).out).not.toContain('Hello from packages/a?')
})

test('import writes to the package of the test, where that has cassettes or a config', async () => {
  using project = await openMonorepo(['packages/a'])
  const entry = { turn: 0, timestamp: '2026-01-01T00:00:00Z' }
  const talk = [
    { index: 0, ...entry, role: 'user', content: 'Hello?' },
    { index: 1, ...entry, turn: 1, role: 'assistant', content: 'Hi.' },
  ]
  writeFileSync(join(project.root, 'talk.json'), JSON.stringify(talk))
  mkdirSync(join(project.root, 'packages/b/src'), { recursive: true })
  writeFileSync(join(project.root, 'packages/b/vitest.config.ts'), '')
  mkdirSync(join(project.root, 'packages/c'))
  const importInto = async (file: string): Promise<string> => {
    const { out, problems } = await project.run('import', 'talk.json', '--test', `${file} > talks`)
    expect(problems).toBe('')
    return out.trim()
  }

  const [a, b, c] = [
    await importInto('packages/a/talk.test.ts'),
    await importInto('packages/b/src/talk.test.ts'),
    await importInto('./packages/c/talk.test.ts'),
  ]
  expect(a).toMatch(/^packages\/a\/__recordings__\/talk\.test\.ts\/talks-/)
  expect(b).toMatch(/^packages\/b\/__recordings__\/src\/talk\.test\.ts\/talks-/)
  expect(c).toMatch(/^__recordings__\/packages\/c\/talk\.test\.ts\/talks-/)
  expect(JSON.parse(readFileSync(join(project.root, b!), 'utf8'))).toMatchObject({
    conversation_id: 'src/talk.test.ts > talks',
  })
  // A run of all packages from here has recorded tests of packages/d.
  await importInto('packages/d/talk.test.ts')
  mkdirSync(join(project.root, 'packages/d'))
  writeFileSync(join(project.root, 'packages/d/vite.config.ts'), '')
  expect(await importInto('packages/d/more.test.ts')).toMatch(/^__recordings__\/packages\/d\//)
})

test('invalidate marks the cassette of the package that is meant', async () => {
  using project = await openMonorepo()
  const { code, out } = await project.run('invalidate', '@acme/b', '--reason', 'old')
  expect([code, out]).toEqual([0, expect.stringContaining(B)])
  expect(readFileSync(join(project.root, A), 'utf8')).not.toContain('"reason"')
  expect(readFileSync(join(project.root, B), 'utf8')).toContain('"reason": "old"')
})

test('verify knows what runs of a package counted', async () => {
  using project = await openMonorepo()
  const { timestamp } = new CassetteStore(
    join(project.root, 'packages/a'),
    '__recordings__',
    1e9,
  ).load(PATH)!
  const statistics = new Statistics()
  const attempt = { cassette: `__recordings__/${PATH}`, recording: timestamp, passed: false }
  statistics.add(attempt, new Date())
  const cache = join(project.root, 'packages/a/node_modules/.cache/vitest-cassette')
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'statistics.json'), JSON.stringify(statistics))
  const { out } = await project.run('verify', '--max-failures', '0')
  expect(out).toContain(`${A}:`)
  expect(out).not.toContain(`${B}:`)
})

test('recover finds what was left in a package, also where it has no cassette yet', async () => {
  using project = await openMonorepo()
  const root = join(project.root, 'packages/b')
  rmSync(join(root, '__recordings__'), { recursive: true })
  const journal = new Journal({
    root,
    dir: '__recordings__',
    path: PATH,
    id: 'greet.test.ts > greets',
  })
  const [exchange] = recorded([question('Hello?'), 'Hi!']).exchanges.filter(isRecorded)
  const { request, response } = exchange!.wire
  journal.append({
    order: 0,
    hash: exchange!.prompt.hash,
    request,
    response: { ...response, status: 200 },
  })
  journal.release()
  const { code, out } = await project.run('recover', '--yes')
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/greet.test.ts.greets-.*1 answer .* a new cassette/),
  ])
  expect(await verified(project)).toMatchObject({ cassettes: 2, exchanges: 2, findings: [] })
  expect((await project.run('recover')).code).toBe(0)
})

test('$schema leads to where the package is installed', async () => {
  using project = new CliProject()
  const installed = join(project.root, 'node_modules/vitest-cassette')
  mkdirSync(installed, { recursive: true })
  writeFileSync(join(installed, 'cassette.schema.json'), '{}')
  const store = new CassetteStore(join(project.root, 'packages/a'), '__recordings__', 1e9)
  await store.save(PATH, recorded([question('Hello?'), 'Hi!']))
  const text = readFileSync(join(project.root, A), 'utf8')
  expect(text).toContain(
    '"$schema": "../../../../node_modules/vitest-cassette/cassette.schema.json"',
  )
})
