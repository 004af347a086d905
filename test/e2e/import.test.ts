import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { VitestProject } from './vitest-project.ts'

const URL = 'https://api.openai.com/v1/chat/completions'

let project: VitestProject

beforeEach(() => {
  project = new VitestProject('imported')
})

afterEach(() => {
  // None of it needed a provider.
  expect(project.files('node_modules/.cache/vitest-cassette/journal')).toEqual([])
})

function write(file: string, content: unknown): void {
  mkdirSync(dirname(join(project.dir, file)), { recursive: true })
  writeFileSync(join(project.dir, file), JSON.stringify(content))
}

function prompt(content: string, more: object = {}): object {
  const messages = [
    { role: 'system', content: 'You are brief.' },
    { role: 'user', content },
  ]
  return { model: 'gpt-5', messages, ...more }
}

const completion = (content: string): string =>
  JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] })

const STREAM = `data: ${JSON.stringify({ choices: [{ delta: { content: 'One' } }] })}\n\ndata: [DONE]\n\n`

/** A recording of Polly: its entries, each with the text of its prompt and of its answer. */
function har(name: string, ...entries: Array<[body: object | undefined, answer: string]>): object {
  return {
    log: {
      _recordingName: name,
      version: '1.2',
      creator: { name: 'Polly.JS', version: '6.0.6' },
      entries: entries.map(([body, text], order) => ({
        _id: `${order}`,
        _order: order,
        startedDateTime: `2025-03-0${order + 1}T10:00:00.000Z`,
        time: 250,
        request: {
          method: 'POST',
          url: URL,
          httpVersion: 'HTTP/1.1',
          headers: [{ name: 'content-type', value: 'application/json' }],
          ...(body
            ? { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }
            : {}),
        },
        response: {
          status: 200,
          headers: [
            {
              name: 'content-type',
              value: text.startsWith('data:') ? 'text/event-stream' : 'application/json',
            },
          ],
          content: { mimeType: '', text },
        },
      })),
    },
  }
}

function writeAll(): void {
  write(
    'recordings/support_1/greets_2/recording.har',
    har('support/greets', [prompt('Hello'), completion('Hi there.')]),
  )
  write(
    'recordings/support_1/streams_3/recording.har',
    har('support/streams', [prompt('Count', { stream: true }), STREAM]),
  )
  write('recordings/asks-twice.json', [
    {
      scope: 'https://api.openai.com:443',
      method: 'POST',
      path: '/v1/chat/completions',
      body: prompt('One'),
      status: 200,
      response: JSON.parse(completion('first')),
      rawHeaders: ['Content-Type', 'application/json'],
    },
    {
      scope: 'https://api.openai.com:443',
      method: 'POST',
      path: '/v1/chat/completions',
      body: prompt('Two'),
      status: 200,
      response: JSON.parse(completion('second')),
      rawHeaders: ['Content-Type', 'application/json'],
    },
  ])
}

/** What the recordings become, of which nothing is written. */
async function plan(words: string): Promise<any> {
  const { exitCode, output } = await project.cli(`import ${words} --json 2>/dev/null`)
  expect(exitCode, output).toBe(0)
  return JSON.parse(output)
}

/** The plan of all recordings. */
const ALL = {
  recordings: Array(3).fill({ test: expect.any(String) }),
  cassettes: expect.toSatisfy(
    (planned: Array<{ exchanges: number }>) =>
      planned.length === 3 && planned.reduce((sum, { exchanges }) => sum + exchanges, 0) === 4,
  ),
}

test('recordings of Polly and nock replay offline in the tests that they name', async () => {
  writeAll()
  expect(await plan('recordings')).toMatchObject(ALL)
  expect(project.files()).toEqual([])

  const written = await project.cli('import recordings --write')
  expect(written, written.output).toMatchObject({ exitCode: 0 })
  expect(written.output).toContain('3 of your 3 tests pass offline.')
  // The scopes of nock hold no headers.
  const unknown = { check: 'imported', severity: 'warning' }
  expect(await project.findings()).toMatchObject([unknown, unknown])
  expect((await project.run()).exitCode).toBe(0)

  const again = await project.cli('import recordings --write')
  expect(again.exitCode).toBe(1)
  expect(again.output).toContain('--force')
})

test('without the plugin no test file is loaded, since nobody knows where its cassettes would be', async () => {
  writeAll()
  project.edit('vitest.config.ts', 'plugins: [cassettes()]', '')
  const mark = "import { writeFileSync } from 'node:fs'\nwriteFileSync('loaded', '')\n"
  writeFileSync(join(project.dir, 'slow.test.ts'), mark)
  expect(await plan('recordings --to cassettes')).toMatchObject(ALL)
  expect(existsSync(join(project.dir, 'loaded'))).toBe(false)
})

test('what names no test is told, and goes to the test that is named for it', async () => {
  write('fixtures/one.har', har('something else', [prompt('Hello'), completion('Hi there.')]))
  const planned = await project.cli('import fixtures 2>/dev/null')
  expect(planned.output).toContain(" --map 'fixtures/one.har=<test>'")
  await expectGolden(planned.output, 'no-test')
  const mapped = await project.cli("import fixtures --map 'one.har=greets' --write")
  expect(mapped, mapped.output).toMatchObject({ exitCode: 0 })
  expect(mapped.output).toContain('1 of your 1 test passes offline.')
})

test('a name with which several tests begin is told with the lines to choose from', async () => {
  write('fixtures/supp.har', har('supp', [prompt('Hello'), completion('Hi there.')]))
  const { output } = await project.cli('import fixtures')
  expect(output).toContain('nothing: could be chat.test.ts > support > greets, or ')
  const [, line = ''] = /^ {2}(--map .*greets.*)$/m.exec(output) ?? []
  expect(line).toBe("--map 'fixtures/supp.har=chat.test.ts > support > greets'")
  const mapped = await project.cli(`import fixtures ${line}`)
  expect(mapped.output).toContain('1 cassette with 1 exchange.')
})

test('what the old tool did not see is told with its diff', async () => {
  writeAll()
  project.edit('chat.test.ts', "'Hello'", "'Hello, how are you?'")
  const { exitCode, output } = await project.cli('import recordings --write')
  expect(exitCode, output).toBe(1)
  expect(output).toContain('2 of your 3 tests ')
  expect(output).toContain('+ Hello, how are you?')
  expect(output).toContain('npx vitest-cassette record --prompts chat.test.ts')

  const json = await project.cli('import recordings --write --force --json')
  const { verdicts } = JSON.parse(json.output.slice(json.output.indexOf('{'))) as {
    verdicts: Array<{ outcome: string }>
  }
  expect(verdicts.map(({ outcome }) => outcome).sort()).toEqual(['differs', 'pass', 'pass'])
})

test('without prompts nothing is guessed: a run takes them over, and they are compared from then on', async () => {
  write(
    'recordings/asks-twice.har',
    har('support/asks twice', [undefined, completion('first')], [undefined, completion('second')]),
  )
  const imported = await project.cli('import recordings --write 2>/dev/null')
  expect(imported.exitCode, imported.output).toBe(1)
  await expectGolden(imported.output, 'no-prompts')
  const only = ['-t', 'asks twice']
  const [, command] = /^ {2}(npx vitest-cassette record .*)$/m.exec(imported.output)!
  expect(command).toBe('npx vitest-cassette record --prompts chat.test.ts')
  expect(await project.findings()).toMatchObject(Array(2).fill({ check: 'imported' }))

  const taken = await project.run(only, { RECORD: 'prompts' })
  expect(taken, taken.output).toMatchObject({ exitCode: 0 })
  expect(await project.findings()).toEqual([])
  const replayed = await project.run(only)
  expect(replayed, replayed.output).toMatchObject({ exitCode: 0 })
  const changed = await project.runEdited('chat.test.ts', "'Two'", "'Three'", only)
  expect(changed.exitCode).toBe(1)
  expect(changed.output).toContain('Three')
})

test('a config that does not load is named as such, and not as one without the plugin', async () => {
  writeAll()
  project.edit('vitest.config.ts', 'cassettes()', 'cassettes().missing()')
  const { output } = await project.cli('import recordings 2>/dev/null')
  await expectGolden(output, 'config-that-fails')
})
