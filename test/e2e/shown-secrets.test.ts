import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fill } from '../reliability/made-up.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

/** Credentials that no variable has: only rules know them. */
function secretsOf(seed: string): string[] {
  const made = (pattern: string): string => fill(pattern, `${seed} ${pattern}`)
  const base64 = (text: string): string => Buffer.from(text).toString('base64url')
  return [
    made('sk|-proj-[urlsafe 74]T3Bl|bkFJ[urlsafe 73]a'),
    made('sk|-ant-api03-[urlsafe 93]AA'),
    made('AI|za[urlsafe 34]b'),
    made('gh|p_[word 36]'),
    made('gs|k_[word 52]'),
    made('xo|xb-[digits 12]-[digits 12]-[word 24]'),
    made('sk|_li|ve_[word 24]'),
    made('AK|IA[base32 16]'),
    [
      `-----BEGIN ${'PRIVATE'} KEY-----`,
      made('[base64 64]\n[base64 64]\n[base64 64]\n[base64 40]'),
      `-----END ${'PRIVATE'} KEY-----`,
    ].join('\n'),
    `${base64('{"alg":"HS256","typ":"JWT"}')}.${base64(`{"sub":"${made('[word 20]')}"}`)}.${made('[urlsafe 43]')}`,
    `postgres://shop:${made('[word 20]')}@db.shop.test:5432/orders`,
    `password=${made('[word 16]')}`,
  ]
}

const SECRETS = secretsOf('one')
const OTHERS = secretsOf('other')

/** The pieces that may stand nowhere, with the number of their secret: of 12 characters, and of 8 of a short one. */
const PIECES = new Map<string, number>()

for (const secrets of [SECRETS, OTHERS])
  for (const [at, secret] of secrets.entries()) {
    // Of an address its password is secret, of a private key its lines, of a token its signature.
    const [, password] = /:\/\/\w+:(\w+)@/.exec(secret) ?? []
    const lines = (password ?? secret.replace(/^password=|^eyJ\w+\.\w+\./, ''))
      .split('\n')
      .filter((line) => !line.startsWith('-----'))
    for (const line of lines) {
      const size = line.length < 24 ? 8 : 12
      for (let from = 0; from + size <= line.length; from++)
        PIECES.set(line.slice(from, from + size), at)
    }
  }

/** The pieces of secrets in a text, with a few characters around them. */
function leaksIn(text: string): string[] {
  const leaks: string[] = []
  for (const shown of new Set([text, stripVTControlCharacters(text)]))
    for (let at = 0; at < shown.length; at++) {
      const [size] = [8, 12].filter((length) => PIECES.has(shown.slice(at, at + length)))
      if (size === undefined) continue
      const secret = PIECES.get(shown.slice(at, at + size))
      leaks.push(`${secret}: ${JSON.stringify(shown.slice(Math.max(0, at - 60), at + 60))}`)
      at += 200
    }
  return leaks
}

const REPORTERS = ['default', 'verbose', 'tap', 'github-actions', 'json', 'junit', 'blob', 'html']
const FILES = { json: 'run.json', junit: 'run.xml', blob: 'blob.json', html: 'html/index.html' }
const ALL = [
  ...REPORTERS.map((name) => `--reporter=${name}`),
  ...Object.entries(FILES).map(([name, file]) => `--outputFile.${name}=out/${file}`),
]

let upstream: Upstream
let recorded: VitestProject
let project: VitestProject

/** What a run printed, and all files that it left. */
function shownBy({ output }: Run): Array<[name: string, text: string]> {
  const cache = 'node_modules/.cache/vitest-cassette'
  const folders = ['out', cache, 'run-report']
  const files = folders.flatMap((folder) => project.files(folder).map((file) => join(folder, file)))
  // Outside of git, for their owner alone.
  const shown = files.filter((file) => !/vitest-cassette\/(?:journal|parked)\//.test(file))
  return [['output', output], ...shown.map((file): [string, string] => [file, read(file)])]
}

function read(file: string): string {
  // Compressed in reports of HTML.
  return readFileSync(join(project.dir, file), 'latin1')
}

function leaksOf(run: Run): Record<string, string[]> {
  const leaks = shownBy(run).map(([name, text]) => [name, leaksIn(text).slice(0, 3)] as const)
  return Object.fromEntries(leaks.filter(([, found]) => found.length > 0))
}

const words = SECRETS.map((_, at) => `WORD${at}KEPT`)

/** Puts secrets into the recorded prompts: as they stand, and inside of JSON texts. */
function putIntoCassettes(secrets: readonly string[]): void {
  for (const [file, text] of Object.entries(project.contents())) {
    const spelled = (word: string, quote: string): string => {
      const secret = secrets[words.indexOf(word)]!
      const once = JSON.stringify(secret).slice(1, -1)
      return quote === '\\' ? `\\${JSON.stringify(once).slice(1, -1)}\\"` : `${quote}${once}`
    }
    const edited = text
      .replaceAll(/\\"(WORD\d+KEPT)\\"/g, (_, word: string) => spelled(word, '\\'))
      .replaceAll(/WORD\d+KEPT/g, (word) => spelled(word, ''))
    project.write(`__recordings__/${file}`, edited)
  }
}

beforeAll(async () => {
  upstream = await startUpstream()
  recorded = new VitestProject('shown-secrets', { ENDPOINT: upstream.url })
  recorded.write('secrets.json', JSON.stringify(words))
  const recording = await recorded.record(['prompts'])
  expect(recording.exitCode, recording.output).toBe(0)
})

// Each test changes it in its own way.
beforeEach(() => {
  project = new VitestProject(recorded.dir, { ENDPOINT: upstream.url })
  project.write('secrets.json', JSON.stringify(SECRETS))
})

afterAll(() => upstream.stop())

test('a recording that is refused for a credential shows nothing of it', async () => {
  const refused = await project.record(['prompts', ...ALL], { FORCE_COLOR: '1' })
  expect(refused.output).toContain('"code":"secret"')
  expect(leaksOf(refused)).toEqual({})
})

test('a changed prompt shows nothing of a credential beside the change, and the change', async () => {
  putIntoCassettes(SECRETS)
  const replay = await project.run(['prompts', ...ALL], { FORCE_COLOR: '1' })
  expect(leaksOf(replay)).toEqual({})
  const plain = await project.run(['prompts'])
  expect(leaksOf(plain)).toEqual({})
  expect(plain.output).toMatch(/Use <REDACTED:openai> for \[?-?Anna/)
})

test('that only the credential changed is seen', async () => {
  putIntoCassettes(SECRETS)
  project.write('secrets.json', JSON.stringify(OTHERS))
  const replay = await project.run(['prompts'], { NAME: 'Anna' })
  expect(leaksOf(replay)).toEqual({})
  expect(replay.output).toMatch(/<REDACTED:openai 2>/)
})
