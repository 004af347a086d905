import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { COMMANDS } from '../src/tools/commands.ts'
import { NIGHT } from '../tooling/night.ts'
import { needs } from './needs.ts'

interface Step {
  uses?: string
  run?: string
  env?: Record<string, string>
}

interface Job {
  uses?: string
  steps?: Step[]
  permissions?: Record<string, string>
  strategy?: { matrix: Record<string, unknown[]> }
}

interface Workflow {
  on: Record<string, unknown>
  permissions: Record<string, string>
  jobs: Record<string, Job>
}

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, '.github/workflows')
const workflows = new Map(
  readdirSync(folder).map((name) => [
    name,
    parse(readFileSync(join(folder, name), 'utf8')) as Workflow,
  ]),
)
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
  scripts: Record<string, string>
  engines: { node: string }
}

function stepsOf(workflow: Workflow): Step[] {
  return Object.values(workflow.jobs).flatMap(({ steps = [] }) => steps)
}

test.for([...workflows.keys()])('each command of %s is there', (name) => {
  const words = stepsOf(workflows.get(name)!).flatMap(({ run }) => run ?? [])
  expect(words).not.toEqual([])
  const all = words.join('\n')
  for (const [, script] of all.matchAll(/npm run (?:--?\S+ )*(\S+)/g))
    expect(manifest.scripts).toHaveProperty([script!])
  for (const [, file] of all.matchAll(/\bnode (\S+\.ts)/g))
    expect(existsSync(join(root, file!)), file).toBe(true)
  for (const [, prefix] of all.matchAll(/--prefix (\S+)/g))
    expect(existsSync(join(root, prefix!, 'package-lock.json')), prefix).toBe(true)
})

test.for([...workflows.keys()])('%s runs no code of strangers, and may write nothing', (name) => {
  const workflow = workflows.get(name)!
  expect(workflow.permissions).toEqual({ contents: 'read' })
  const used = Object.values(workflow.jobs).flatMap(({ uses, steps = [] }) => [
    ...(uses === undefined ? [] : [uses]),
    ...steps.flatMap((step) => step.uses ?? []),
  ])
  for (const action of used) expect(action).toMatch(/^(?:actions\/[\w-]+@v\d+$|\.\/)/)
})

test('the tests run on each system with each Node that package.json names', () => {
  const { matrix } = workflows.get('ci.yml')!.jobs.test!.strategy!
  const named = Array.from(manifest.engines.node.matchAll(/(\d+)\.\d+\.\d+/g), ([, major]) =>
    Number(major),
  )
  expect(matrix.node).toEqual(named)
  expect(matrix.os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest'])
})

test('CI runs what a contributor runs with "npm run check"', () => {
  const runs = stepsOf(workflows.get('ci.yml')!).map(({ run }) => run)
  const checked = manifest.scripts.check!.split(' && ')
  expect(runs).toEqual(expect.arrayContaining(checked))
})

test('each night everything is tried at length, with all that CI installs', () => {
  const { on, jobs } = workflows.get('night.yml')!
  expect(on.schedule).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }])
  const prepared = jobs.test!.steps!.map(({ run }) => run)
  expect(prepared.pop()).toBe('npm run test:night')
  expect(manifest.scripts['test:night']).toBe(manifest.scripts['test:all']!.replace('all', 'night'))
  const inCi = workflows.get('ci.yml')!.jobs.test!.steps!.map(({ run }) => run)
  const installed = inCi.filter((run) => run?.startsWith('npm ci'))
  expect(prepared).toEqual(expect.arrayContaining(installed))
})

test('a release is published after all tests and those of the night, with provenance', () => {
  const { jobs } = workflows.get('release.yml')!
  expect(jobs).toMatchObject({
    ci: { needs: 'whole', uses: './.github/workflows/ci.yml' },
    night: { needs: 'whole', uses: './.github/workflows/night.yml' },
    publish: { needs: ['ci', 'night'], permissions: { contents: 'read', 'id-token': 'write' } },
  })
  expect(jobs.publish!.steps!.at(-1)!.run).toContain('npm publish --provenance')
})

test('the site is published after the package, by a job that runs no code of ours', () => {
  expect(workflows.get('release.yml')!.jobs.site).toMatchObject({
    needs: 'publish',
    uses: './.github/workflows/site.yml',
  })
  const { build, deploy } = workflows.get('site.yml')!.jobs
  expect(build!.permissions).toEqual({ contents: 'read', pages: 'read' })
  expect(build!.steps!.map(({ run }) => run)).toContain(
    'npm run docs:build -- --base "$BASE_PATH/"',
  )
  expect(deploy!.permissions).toEqual({ pages: 'write', 'id-token': 'write' })
  expect(deploy!.steps!.flatMap(({ run }) => run ?? [])).toEqual([])
})

const documented = Array.from(
  readFileSync(join(root, 'docs/in-ci.md'), 'utf8').matchAll(/^```yaml\n([^]*?)^```$/gm),
  ([, text], at): [number, Workflow] => [at, parse(text!) as Workflow],
)

test.for(documented)(
  'example %i of docs/in-ci.md gives keys to one step, and nobody else code',
  ([, one]) => {
    for (const { steps = [], permissions = {}, ...job } of Object.values(one.jobs)) {
      expect(job).not.toHaveProperty('env')
      const withKey = steps.filter(({ env = {} }) => JSON.stringify(env).includes('secrets.'))
      for (const { run } of withKey) expect(run).toMatch(/^npx vitest-cassette record /)
      for (const { run = '' } of steps) expect(run).not.toContain('${{')
      // What runs code of a pull request may not write, but for the action's comment.
      const isOfPull = JSON.stringify(steps).includes('head.sha')
      if (isOfPull && permissions.contents === 'write')
        expect(JSON.stringify(steps)).not.toMatch(/npm|npx|secrets/)
    }
    expect(one).not.toHaveProperty('on.pull_request_target')
    for (const [, word] of JSON.stringify(one.jobs).matchAll(/npx vitest-cassette ([a-z]+)/g))
      expect(COMMANDS.map(({ name }) => name)).toContain(word)
  },
)

test.for(documented)('example %i of docs/in-ci.md has the Node that it needs', ([, one]) => {
  for (const { steps = [] } of Object.values(one.jobs)) {
    const isNodeUsed = steps.some(({ run = '', uses = '' }) => /npx|npm|OWNER/.test(run + uses))
    const first = steps.find(({ uses = '' }) => uses.startsWith('actions/setup-node'))
    expect(first !== undefined).toBe(isNodeUsed)
  }
})

/** A repository with recordings in these folders, and a place to push to. */
function openRepository(folders: readonly string[]): {
  root: string
  git(...words: string[]): string
} {
  const root = mkdtempSync(join(tmpdir(), 'vitest-cassette-workflow-'))
  const git = (...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...words], {
      cwd: join(root, 'here'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  for (const name of ['here', 'temp', 'bin']) mkdirSync(join(root, name))
  writeFileSync(join(root, 'bin/gh'), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
  git('init', '-q', '-b', 'main')
  writeFileSync(join(root, 'here/code.js'), 'read\n')
  for (const folder of folders) {
    mkdirSync(join(root, 'here', folder, '__recordings__/a.test.ts'), { recursive: true })
    for (const name of ['changes', 'goes'])
      writeFileSync(join(root, 'here', folder, `__recordings__/a.test.ts/${name}.json`), 'old\n')
  }
  git('add', '-A')
  git('commit', '-q', '-m', 'Begin')
  git('tag', 'begin')
  git('init', '-q', '--bare', join(root, 'there'))
  git('remote', 'add', 'origin', join(root, 'there'))
  git('push', '-q', 'origin', 'main:topic')
  return { root, git }
}

const LAYOUTS = [
  ['one package', ['']],
  ['a monorepo', ['packages/a', 'packages/b']],
] as const
const RECORDING = documented.filter(([, one]) => JSON.stringify(one).includes('record --'))

test.for(LAYOUTS.flatMap((layout) => RECORDING.map(([at, one]) => [at, ...layout, one] as const)))(
  'example %i of docs/in-ci.md pushes what was recorded in %s, and nothing else',
  needs('unix'),
  ([, , folders, { jobs }]) => {
    const { root, git } = openRepository(folders)
    try {
      for (const folder of folders) {
        const path = join(root, 'here', folder, '__recordings__/a.test.ts')
        writeFileSync(join(path, 'changes.json'), 'new\n')
        writeFileSync(join(path, 'comes.json'), 'new\n')
        rmSync(join(path, 'goes.json'))
      }
      writeFileSync(join(root, 'here/code.js'), 'written by what ran\n')
      for (const { steps = [] } of Object.values(jobs)) {
        for (const { run = '' } of steps)
          if (/^git |^if /.test(run))
            execFileSync('bash', ['-e', '-c', run], {
              cwd: join(root, 'here'),
              stdio: 'pipe',
              env: {
                ...process.env,
                PATH: `${join(root, 'bin')}:${process.env.PATH}`,
                RUNNER_TEMP: join(root, 'temp'),
                BRANCH: 'topic',
              },
            })
        // Each job begins with a checkout of its own.
        git('reset', '-q', '--hard')
      }
      const branches = git('ls-remote', '--heads', 'origin')
      const branch = branches.includes('refs/heads/recordings') ? 'recordings' : 'topic'
      git('fetch', '-q', 'origin', branch)
      expect(git('diff', '--name-status', 'begin', 'FETCH_HEAD').trim().split('\n')).toEqual(
        folders.flatMap((folder) => {
          const path = join(folder, '__recordings__/a.test.ts')
          return [`M\t${path}/changes.json`, `A\t${path}/comes.json`, `D\t${path}/goes.json`]
        }),
      )
    } finally {
      rmSync(root, { recursive: true })
    }
  },
)

test.for(['should-match.yml', 'should-miss.yml'])('%s asks for the report', (name) => {
  const form = parse(readFileSync(join(root, '.github/ISSUE_TEMPLATE', name), 'utf8')) as {
    name: string
    description: string
    body: Array<{ id?: string; type: string; validations?: object; attributes: object }>
  }
  expect([form.name, form.description].every(Boolean)).toBe(true)
  const ids = form.body.flatMap(({ id }) => id ?? [])
  expect(new Set(ids).size).toBe(ids.length)
  const report = form.body.find(({ id }) => id === 'report')!
  expect(JSON.stringify(report.attributes)).toContain('npx vitest-cassette doctor --report')
  expect(report.validations).toEqual({ required: true })
})

/** Runs the script that npm runs before it publishes, in a repository with these fields. */
async function check(
  fields: object,
  env: Record<string, string>,
): Promise<{ code: number; said: string }> {
  const copy = mkdtempSync(join(tmpdir(), 'vitest-cassette-pack-'))
  try {
    mkdirSync(join(copy, 'tooling'))
    cpSync(join(root, 'tooling/pack.ts'), join(copy, 'tooling/pack.ts'))
    writeFileSync(
      join(copy, 'CHANGELOG.md'),
      '# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2026-01-01\n',
    )
    writeFileSync(join(copy, 'package.json'), JSON.stringify({ type: 'module', ...fields }))
    const { GITHUB_REF_TYPE: _, ...rest } = process.env
    return await new Promise((resolve) => {
      const words = [join(copy, 'tooling/pack.ts'), ...(env.npm_command ? [] : ['--check'])]
      execFile(process.execPath, words, { env: { ...rest, ...env } }, (error, out, said) =>
        resolve({ code: Number(error?.code ?? 0), said: out + said }),
      )
    })
  } finally {
    rmSync(copy, { recursive: true })
  }
}

const OWNERS = {
  repository: 'github:a/b',
  homepage: 'https://a.example',
  bugs: 'https://a.example',
}

test.for<[what: string, fields: object, env: Record<string, string>, said: string]>([
  [
    'without the fields of the owner',
    {},
    {},
    'package.json has no repository, no homepage, no bugs',
  ],
  ['without bugs', { ...OWNERS, bugs: undefined }, {}, 'package.json has no bugs'],
  ['as npm publish', {}, { npm_command: 'publish' }, 'package.json has no repository'],
  [
    'from a tag of another version',
    OWNERS,
    { GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1.2.4' },
    'the tag is v1.2.4, and the version of package.json 1.2.3',
  ],
  ['without its changelog', { ...OWNERS, version: '1.2' }, {}, 'no heading "## 1.2"'],
])('nothing is published %s', async ([, fields, env, said]) => {
  const checked = await check({ version: '1.2.3', ...fields }, env)
  expect(checked.said).toContain(said)
  expect(checked.code).toBe(1)
})

test('what is ready may be published', async () => {
  const env = { GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1.2.3' }
  expect(await check({ version: '1.2.3', ...OWNERS }, env)).toEqual({ code: 0, said: '' })
})

test('what runs at night alone is there, and CONTRIBUTING.md names it', () => {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const unnamed = NIGHT.filter((file) => !text.includes(`\`${basename(file, '.test.ts')}\``))
  expect(unnamed).toEqual([])
  expect(NIGHT.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
