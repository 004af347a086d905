import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { expectGolden } from '../golden.ts'
import { needs } from '../needs.ts'
import { answered, PATH as CASSETTE } from '../tools/answered.ts'
import { GitProject } from '../tools/git-project.ts'
import { builtCli } from './vitest-project.ts'

interface Step {
  id?: string
  if?: string
  run?: string
  uses?: string
  env?: Record<string, string>
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as {
  inputs: Record<string, { default: string }>
  runs: { using: string; steps: Step[] }
}

/** Answers as the command of GitHub does, from comments in a file. `jq` stands in for the one that is built into it. */
const GH = `#!/usr/bin/env node
const { execFileSync } = require('node:child_process')
const { readFileSync, writeFileSync, appendFileSync } = require('node:fs')
const [word, ...words] = process.argv.slice(2)
const value = (name) => words[words.indexOf(name) + 1]
const path = words.find((one) => one.startsWith('repos/'))
appendFileSync(process.env.CALLS, [word, words.includes('--method') ? value('--method') : 'GET', path].join(' ') + '\\n')
if (!process.env.GH_TOKEN || process.env.READ_ONLY) {
  console.error('gh: Resource not accessible by integration (HTTP 403)')
  process.exit(1)
}
const comments = JSON.parse(readFileSync(process.env.COMMENTS, 'utf8'))
if (words.includes('--jq')) {
  const asked = JSON.stringify(comments)
  process.stdout.write(execFileSync('jq', ['-r', value('--jq')], { input: asked }))
} else {
  const body = readFileSync(value('-F').replace(/^body=@/, ''), 'utf8')
  const id = Number(path.split('/').at(-1))
  if (value('--method') === 'PATCH') comments.find((one) => one.id === id).body = body
  else comments.push({ id: 100 + comments.length, user: { type: 'Bot' }, body })
  writeFileSync(process.env.COMMENTS, JSON.stringify(comments))
}
`

/** A pull request on which the action runs. */
class PullRequest implements Disposable {
  readonly project = new GitProject()
  readonly #temp = mkdtempSync(join(tmpdir(), 'vitest-cassette-action-'))

  async open(): Promise<void> {
    const { root } = this.project
    writeFileSync(join(root, '.gitignore'), 'node_modules\n')
    writeFileSync(join(root, 'a.test.ts'), '')
    await this.project.commit(answered('one'))
    mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
    symlinkSync(builtCli(), join(root, 'node_modules/.bin/vitest-cassette'))
    writeFileSync(join(this.#temp, 'gh'), GH)
    chmodSync(join(this.#temp, 'gh'), 0o755)
    this.comments = [
      { id: 1, user: { type: 'User' }, body: '<!-- vitest-cassette: . --> of a stranger' },
      { id: 2, user: { type: 'Bot' }, body: 'of another bot' },
    ]
    this.project.git('switch', '-q', '-c', 'change')
  }

  get comments(): Array<{ id: number; user: object; body: string }> {
    return JSON.parse(readFileSync(join(this.#temp, 'comments.json'), 'utf8'))
  }

  set comments(all: object[]) {
    writeFileSync(join(this.#temp, 'comments.json'), JSON.stringify(all))
  }

  get calls(): string[] {
    const file = join(this.#temp, 'calls')
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  }

  file(name: string): string {
    return join(this.#temp, name)
  }

  /** Runs the steps as a runner does, up to the first that fails. */
  run(more: Record<string, string> = {}): { code: number; output: string } {
    const values: Record<string, string> = {
      'github.event.pull_request.number': '7',
      'github.server_url': 'https://github.example',
      'github.repository': 'a/b',
      'github.run_id': '42',
      'inputs.token': 'made-up',
      ...Object.fromEntries(
        Object.entries(action.inputs).flatMap(([name, one]) =>
          name === 'token' ? [] : [[`inputs.${name}`, one.default]],
        ),
      ),
      'inputs.base': 'main',
    }
    let output = ''
    for (const { id, if: condition, run, env = {} } of action.runs.steps) {
      if (run === undefined || (condition !== undefined && !isMet(condition, values))) continue
      const file = join(this.#temp, 'output')
      writeFileSync(file, '')
      const filled = Object.entries(env).map(([name, text]) => [name, fill(text, values)])
      const { status, stdout, stderr } = spawnSync(
        'bash',
        ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run],
        {
          cwd: this.project.root,
          encoding: 'utf8',
          env: {
            ...this.project.env,
            PATH: [this.#temp, dirname(process.execPath), process.env.PATH].join(delimiter),
            HOME: this.#temp,
            npm_config_offline: 'true',
            GITHUB_ACTIONS: 'true',
            GITHUB_REPOSITORY: 'a/b',
            GITHUB_OUTPUT: file,
            RUNNER_TEMP: this.#temp,
            COMMENTS: join(this.#temp, 'comments.json'),
            CALLS: join(this.#temp, 'calls'),
            ...more,
            ...(Object.fromEntries(filled) as Record<string, string>),
          },
        },
      )
      output += stdout + stderr
      for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
        const [name, ...rest] = line.split('=')
        values[`steps.${id}.outputs.${name}`] = rest.join('=')
      }
      if (status !== 0) return { code: status ?? -1, output }
    }
    return { code: 0, output }
  }

  [Symbol.dispose](): void {
    this.project[Symbol.dispose]()
    rmSync(this.#temp, { recursive: true, force: true })
  }
}

function fill(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, name: string) => {
    if (values[name] === undefined) throw new Error(`The action reads ${name}.`)
    return values[name]
  })
}

function isMet(condition: string, values: Record<string, string>): boolean {
  return condition.split(' && ').every((part) => {
    const [name, value] = part.split(' == ')
    return value === undefined ? Boolean(values[name!]) : values[name!] === value.slice(1, -1)
  })
}

test('the action has no code of its own beside scripts that take nothing from an expression', () => {
  expect(action.runs.using).toBe('composite')
  for (const { run, uses } of action.runs.steps) {
    expect(run ?? '').not.toContain('${{')
    if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/)
    if (run !== undefined) execFileSync('bash', ['-n', '-c', run])
  }
})

test('a change is told in one comment, which the next run writes anew', needs('jq'), async () => {
  using pull = new PullRequest()
  await pull.open()
  expect(pull.run()).toMatchObject({ code: 0 })
  expect(pull.comments).toHaveLength(2)

  await pull.project.commit(answered('two'))
  const first = pull.run()
  expect(first.code, first.output).toBe(0)
  const [stranger, bot, own] = pull.comments
  expect(pull.comments).toHaveLength(3)
  const base = pull.project.git('rev-parse', '--short', 'main').trim()
  await expectGolden(own!.body, 'comment', { [base]: '<commit>' })
  expect(existsSync(pull.file('cassette-report/index.html'))).toBe(true)

  await pull.project.commit(answered('three'))
  pull.run()
  expect(pull.comments).toHaveLength(3)
  expect(pull.comments.slice(0, 2)).toEqual([stranger, bot])
  expect(pull.comments[2]!.body).toContain('three')
  expect(pull.comments[2]!.body).not.toContain('two')
  expect(pull.calls.at(-1)).toBe('api PATCH repos/a/b/issues/comments/102')

  await pull.project.commit(answered('one'))
  pull.run()
  expect(pull.comments).toHaveLength(3)
  expect(pull.comments[2]!.body).not.toContain('three')
})

test('a problem fails the job, after it was told', needs('jq'), async () => {
  using pull = new PullRequest()
  await pull.open()
  const file = join(pull.project.root, '__recordings__', CASSETTE)
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('one', 'other'))
  await pull.project.commit()
  const { code, output } = pull.run()
  expect(code, output).toBe(1)
  expect(output).toContain('::error::vitest-cassette verify found problems.')
  expect(output).toContain('::error file=')
  const { body } = pull.comments[2]!
  expect(body).toContain('### Problems')
  expect(body).toMatch(/^ {4}__recordings__\/a\.test\.ts\/asks-0123456789\.json\S* {2}\S+ {2}/m)
  expect(body).not.toContain('::error')
})

test('where the token may not write, the job says so and goes on', needs('jq'), async () => {
  using pull = new PullRequest()
  await pull.open()
  await pull.project.commit(answered('two'))
  const { code, output } = pull.run({ READ_ONLY: '1' })
  expect(code, output).toBe(0)
  expect(output).toMatch(/^::notice::/m)
  expect(pull.comments).toHaveLength(2)
})
