import { mkdirSync, readFileSync, writeFileSync, lstatSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { cassettePath } from '../../src/cassette/paths.ts'
import { printCassette } from '../../src/cassette/format.ts'
import { CassetteStore } from '../../src/cassette/store.ts'
import type { Finding } from '../../src/tools/verify/verify-cassettes.ts'
import { recordAgent } from '../conversation/example-agent.ts'
import { chatWire } from '../conversation/example-wires.ts'
import { expectDocumented } from '../docs-section.ts'
import type { EditedCassette, HostileEdit } from '../tools/verify/hostile-edit.ts'
import { HOSTILE_EDITS } from '../tools/verify/hostile-edits.ts'
import { VitestProject, type Run, type TestsRun } from './vitest-project.ts'

const LONG = 'The order was handed to the carrier, who lost it. '.repeat(20).trim()
const CLI = 'node --max-old-space-size=1024 ../node_modules/vitest-cassette/dist/cli.mjs'
const GITHUB = { GITHUB_ACTIONS: 'true', CI: 'true', NODE_OPTIONS: '--max-old-space-size=1024' }

/** What became of one edit. */
interface Outcome {
  name: string
  state: string
  reason: string
  findings: Finding[]
}

let project: VitestProject
let outside: string
let before: string[]
let replay: TestsRun
let commands: Run[]
let outcomes: Outcome[]

beforeAll(async () => {
  project = new VitestProject('hostile')
  outside = join(project.dir, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret.png'), 'a secret')
  const paths = await recordCases()
  for (const [index, { edit }] of HOSTILE_EDITS.entries()) vandalize(paths[index]!, edit)
  before = readdirSync(outside)

  replay = await project.runTests(['--reporter=github-actions'], GITHUB)
  commands = []
  // Standard error says how far it is, where it takes long.
  await runCommands('verify --json 2>/dev/null')
  for (const [index, { isHeavy }] of HOSTILE_EDITS.entries())
    if (isHeavy) project.remove(`__recordings__/${paths[index]!}`)
  await runCommands('verify', 'show', 'show --full', 'show --stats', 'show --format json')
  outcomes = judge(paths)
}, 300_000)

test.for(HOSTILE_EDITS)('$name: verify names it', ({ name, named }) => {
  const { findings } = outcomes.find((outcome) => outcome.name === name)!
  expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(named.slice(0, 1)))
})

test('no test is left out, and none brings the run down', () => {
  expect(outcomes).toHaveLength(HOSTILE_EDITS.length)
  expect(outcomes.map(({ state }) => state)).not.toContain('')
  expect(replay.output).not.toMatch(/Unhandled|heap out of memory|Worker exited/)
  for (const { output } of commands) expect(output).not.toMatch(/heap out of memory|^\s+at /m)
})

test('nothing is written outside, and nothing is read from there', () => {
  expect(readdirSync(outside)).toEqual(before)
  expect(readFileSync(join(outside, 'secret.png'), 'utf8')).toBe('a secret')
  for (const { output } of [replay, ...commands]) expect(output).not.toContain('a secret')
})

test('no command of a cassette reaches the log', () => {
  for (const { output } of [replay, ...commands]) {
    expect(output).not.toBe('')
    const lines = output.split('\n')
    const wanted = /^::(error|warning) (file|title)=[^:]*::/
    expect(lines.filter((line) => /^\s*::/.test(line) && !wanted.test(line.trim()))).toEqual([])
    expect(lines.filter((line) => /##\w*\[/.test(line))).toEqual([])
    // oxlint-disable-next-line no-control-regex -- looks for what a terminal would obey
    expect(lines.filter((line) => /[\u0007\u009b\u202e]|\u001b\]/.test(line))).toEqual([])
  }
})

// Run this file with -u to write the table again.
test('docs/hostile-cassettes.md has the table of this run', async () => {
  const rows = outcomes.map(({ name, reason, findings }) => {
    const checks = [...new Set(findings.map(({ check }) => `\`${check}\``))].join(', ')
    const shown = reason.replaceAll(/(?<=blobs\/[0-9a-f]{8})[0-9a-f]{56}/g, '…')
    return `| ${escapeCell(name)} | ${shown} | ${checks} |`
  })
  const table = ['| edit | the test that replays it | `verify` |', '|---|---|---|', ...rows].join(
    '\n',
  )
  await expectDocumented('hostile-cassettes.md', 'hostile cassettes', table)
})

async function runCommands(...names: string[]): Promise<void> {
  for (const name of names) commands.push(await project.shell(`GITHUB_ACTIONS=true ${CLI} ${name}`))
}

/** Records one conversation for each edit, and returns the paths of the cassettes. */
async function recordCases(): Promise<string[]> {
  const store = new CassetteStore(project.dir, '__recordings__', 1e9)
  const cases: object[] = []
  const paths: string[] = []
  for (const [index, { name: title }] of HOSTILE_EDITS.entries()) {
    const png = Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      Buffer.alloc(1024, index + 1),
    ])
    const cassette = recordAgent(chatWire, [
      {
        question: title,
        arguments: { order: 7 },
        result: 'lost',
        answer: LONG,
        screenshot: png.toString('base64'),
      },
    ])
    const place = { file: 'hostile.test.ts', titles: [title], ordinal: 0 }
    const path = cassettePath(place)
    await store.save(path, { ...cassette, conversationId: `${place.file} > ${title}` })
    paths.push(path)
    const requests = cassette.exchanges.map(
      ({ wire }) => (wire!.request.body as { value: object }).value,
    )
    cases.push({ title, url: chatWire.url, requests })
  }
  project.write('cases.json', JSON.stringify(cases))
  return paths
}

function vandalize(path: string, edit: HostileEdit['edit']): void {
  const file = join(project.dir, '__recordings__', path)
  const text = readFileSync(file, 'utf8')
  const cassette = JSON.parse(text) as EditedCassette
  const blobs = join(project.dir, '__recordings__/blobs')
  const changed = edit(cassette, { file, text, blobs, outside })
  const isFile =
    existsSync(file) && lstatSync(file).isFile() && lstatSync(file).size === text.length
  if (changed !== undefined) writeFileSync(file, changed)
  else if (isFile) writeFileSync(file, printCassette(cassette))
}

function judge(paths: string[]): Outcome[] {
  const { findings } = JSON.parse(commands[0]!.output) as { findings: Finding[] }
  return HOSTILE_EDITS.map(({ name }, index) => {
    const result = replay.tests.find(({ title }) => title === name)
    const file = `__recordings__/${paths[index]!}`
    const upper = file.toLowerCase()
    return {
      name,
      state: result?.status ?? '',
      reason:
        result?.status === 'passed'
          ? 'passes: the answer is the same'
          : reasonOf(result?.failureMessages[0]),
      findings: findings.filter((finding) => finding.file.toLowerCase() === upper),
    }
  })
}

/** The failure is wrong, without what differs from test to test. */
function reasonOf(message: string = ''): string {
  if (message.startsWith('AssertionError')) return 'fails on the answer'
  const [line] = message
    .replace(/^CassetteError: (The cassette \S+ cannot be read: )*/, '')
    .split('\n')
  const text = line!.replace(/\S*__recordings__\S+/g, 'it').replace(/ at position .*/, '')
  return `fails: ${escapeCell(text.length > 110 ? `${text.slice(0, 110)}…` : text)}`
}

function escapeCell(text: string): string {
  return text.replace(/[|<>&\\`*_[\]$]/g, (character) => `&#${character.charCodeAt(0)};`)
}
