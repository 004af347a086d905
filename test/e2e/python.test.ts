import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs, pythonWithHttpx } from '../needs.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { type TestsRun, toldPeople, VitestProject } from './vitest-project.ts'

/** By what a program asks, and what such a program needs. */
const WAYS = [
  [
    'modules of Python',
    ['http_client', 'urllib', 'no_proxy', 'socket', 'address', 'asyncio', 'child'],
    needs(),
  ],
  ['requests', ['requests'], needs('requests')],
  ['httpx', ['httpx'], needs('httpx'), pythonWithHttpx()],
] as const

describe('a Python program that takes no proxy', { ...needs('python3'), shuffle: false }, () => {
  let upstream: Upstream
  let project: VitestProject
  let address: string
  const run = (env: Record<string, string>): Promise<TestsRun> =>
    project.runTests([], {
      ADDRESS: address,
      OPENAI_BASE_URL: `${upstream.oddUrl}/v1`,
      PYTHONDONTWRITEBYTECODE: '1',
      ...env,
    })

  beforeAll(async () => {
    upstream = await startUpstream()
    address = new URL(upstream.oddUrl).host
    project = new VitestProject('python')
  })
  afterAll(() => upstream.stop())

  for (const [name, ways, machine, PYTHON = 'python3'] of WAYS)
    test.each(['', '1'])(
      `is stopped before a model, and fails its test, whatever it does with the error: by ${name}, RECORD=%s`,
      machine,
      async (RECORD) => {
        const before = await upstream.count()
        const { tests, output } = await run({ RECORD, PYTHON, WAYS: ways.join(' ') })
        expect(output).not.toContain('LIVE')
        expect(await upstream.count()).toBe(before)
        expect(tests.map(({ title }) => title)).toEqual([
          ...ways.map((way) => `by ${way}`),
          'a shell that starts Python',
          'Node that starts Python',
        ])
        for (const { title, status, failureMessages } of tests) {
          expect(status, title).toBe('failed')
          expect(failureMessages.join('\n'), title).toMatch(
            new RegExp(`A connection to \\S+:\\d+ past the gateway is refused`),
          )
          expect(failureMessages.join('\n'), title).toMatch(
            /python3\S* .*ways\.py \w+ .* takes no proxy/,
          )
        }
        expect(toldPeople({ output, exitCode: 1 })).toContain('trust_env=True')
        expect(output).toMatch(/ways\.py:\d+/)
      },
    )

  test('is stopped where it asks for the name of a provider', async () => {
    const { tests, output } = await run({ ADDRESS: 'api.openai.com', WAYS: 'http_client asyncio' })
    expect(output).toContain('<asyncio> refused: ConnectionRefusedError')
    for (const { failureMessages } of tests)
      expect(failureMessages.join('\n')).toContain(
        'A connection to api.openai.com:443 past the gateway',
      )
  })

  test('is stopped at a server that nothing names, where its path is that of a model', async () => {
    const ways = { WAYS: 'http_client urllib', OPENAI_BASE_URL: '' }
    const { tests, output } = await run(ways)
    expect(output).toContain('<urllib> refused')
    expect(tests[0]!.failureMessages.join('\n')).toContain(
      `POST http://${address}/v1/chat/completions past the gateway is refused`,
    )
  })

  test('in mode off, and with an interpreter that takes nothing from its environment, it is left alone', async () => {
    const off = await run({ RECORD: 'off', WAYS: 'http_client' })
    expect(off.output).toContain('<http_client> LIVE')
    for (const { status, title } of off.tests) expect(status, title).toBe('passed')
  })
})
