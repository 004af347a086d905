import { execFile } from 'node:child_process'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { CLIENTS } from './clients.ts'
import { expectDocumented } from '../docs-section.ts'
import { needs } from '../needs.ts'
import { CLIENT_VERSIONS, CLIENTS_FOLDER, linkClients } from './installed-clients.ts'
import { printProviders, type Outcome } from './provider-table.ts'
import { VitestProject, type Run } from './vitest-project.ts'

/** Clients are loaded once for all files. Where requests are counted each has its own process: some try again for long. */
const SHARED = ['--no-isolate']

const COMPILER = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

let upstream: Upstream
let project: VitestProject
let recording: Report
let replay: Report
let changed: Report
let outcomes: Outcome[]

describe('the clients', needs('clients'), () => {
  beforeAll(async () => {
    upstream = await startUpstream()
    project = new VitestProject(CLIENTS_FOLDER)
    linkClients(project)
    // It extends the one of the repository, which is not above the copy.
    project.remove('tsconfig.json')
    recording = await report(
      { RECORD: '1', RESULTS: 'recorded', UPSTREAM_URL: upstream.frontUrl },
      ...SHARED,
    )
    await upstream.stop()
    moveToProviders()
    replay = await report({ RESULTS: 'replayed' }, ...SHARED)
    project.remove('attempts')
    changed = await report({ RESULTS: 'changed', CHANGED: '1' }, '--testTimeout=5000')
    outcomes = recording.tests.map(judge)
  }, 300_000)

  afterAll(() => upstream.stop())

  test('every operation of every client is recorded', () => {
    expect(recording.run.exitCode, recording.run.output).toBe(0)
    expect(outcomes.filter(({ recorded }) => !recorded)).toEqual([])
    const clients = new Set(recording.tests.map(({ client }) => client))
    expect([...clients].toSorted()).toEqual(CLIENTS.map(({ name }) => name).toSorted())
  })

  test('every client gets the same when replayed, without a provider and from its own host', () => {
    expect(replay.run.exitCode, replay.run.output).toBe(0)
    expect(project.files('replayed')).toEqual(project.files('recorded'))
    expect(outcomes.filter(({ replayed }) => !replayed)).toEqual([])
  })

  test('one picture is one file, however a client encodes it', () => {
    const blobs = project.files().filter((file) => file.startsWith('blobs/'))
    expect(blobs).toEqual([expect.stringMatching(/^blobs\/[0-9a-f]{64}\.png$/)])
  })

  test('every call of a tool reads the same, whatever its dialect', () => {
    const calls = [{ tool_name: 'look_up', parameters: { order: 7 } }]
    for (const file of project.files().filter((path) => path.includes('/tool-call-'))) {
      const { exchanges } = project.json(`__recordings__/${file}`)
      expect(exchanges[0].response.tool_calls, file).toEqual(calls)
    }
  })

  test('every changed prompt fails its test, whatever the client makes of the refusal', () => {
    expect(changed.run.exitCode).toBe(1)
    expect(outcomes.filter(({ fails }) => !fails)).toEqual([])
  })

  test('what does not hold has a reason, and every reason has something that does not hold', () => {
    const broken = outcomes
      .filter(({ recorded, replayed, isOneRequest, fails }) =>
        [recorded, replayed, isOneRequest, fails].includes(false),
      )
      .map(({ client, operation }) => `${client} > ${operation}`)
    const explained = CLIENTS.flatMap(({ name, reasons = {} }) =>
      Object.keys(reasons).map((operation) => `${name} > ${operation}`),
    )
    expect(broken.toSorted()).toEqual(explained.toSorted())
  })

  // Run this file with -u to write the table again.
  test('docs/providers.md is the table of this run', async () => {
    const section = printProviders(CLIENTS, outcomes, CLIENT_VERSIONS)
    await expectDocumented('providers.md', 'clients', section)
  })

  // The types of the repository are checked without the clients.
  test('what asks by the clients has their types', async () => {
    const errors = await new Promise((resolve) =>
      execFile(process.execPath, [COMPILER, '--project', CLIENTS_FOLDER], (_, out, said) =>
        resolve(out + said),
      ),
    )
    expect(errors).toBe('')
  })
})

interface Report {
  run: Run
  tests: { client: string; operation: string; message?: string }[]
}

async function report(env: Record<string, string>, ...args: string[]): Promise<Report> {
  const run = await project.runTests(args, env)
  const tests = run.tests.map(({ file, title, failureMessages }) => ({
    client: basename(file, '.test.ts'),
    operation: title,
    ...(failureMessages.length > 0 ? { message: failureMessages.join('\n') } : {}),
  }))
  return { run, tests }
}

/** What was recorded at a server of our own is replayed from the hosts of the providers. */
function moveToProviders(): void {
  const otherUrl = upstream.frontUrl.replace('127.0.0.1', 'localhost')
  for (const file of project.files()) {
    if (!file.endsWith('.json')) continue
    const { name, host } = CLIENTS.find((client) => file.startsWith(`${client.name}.test.ts/`))!
    const otherHost = name === 'replicate' ? 'https://stream.replicate.com' : host
    const text = project.read(`__recordings__/${file}`)
    const moved = text.replaceAll(upstream.frontUrl, host).replaceAll(otherUrl, otherHost)
    project.write(`__recordings__/${file}`, moved)
  }
}

function judge({ client, operation, message }: Report['tests'][number]): Outcome {
  const [replayed, missed] = [replay, changed].map(({ tests }) =>
    tests.find((one) => one.client === client && one.operation === operation),
  )
  const attempts = project.read('attempts').split('\n')
  const result = `${client}/${operation}.json`
  const cassette = `${client}.test.ts/${operation.replace(' ', '-')}-`
  return {
    client,
    operation,
    recorded: message === undefined && project.files().some((file) => file.startsWith(cassette)),
    replayed: replayed?.message === undefined && isSame(result),
    isOneRequest: attempts.filter((line) => line === `${client} > ${operation}`).length === 1,
    fails: missed?.message?.startsWith('CassetteError: The prompt changed') ?? false,
  }
}

function isSame(result: string): boolean {
  const inBoth = ['recorded', 'replayed'].every((run) => project.files(run).includes(result))
  return inBoth && project.read(`recorded/${result}`) === project.read(`replayed/${result}`)
}
