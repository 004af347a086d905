import { once } from 'node:events'
import { createServer as createApi, type Server as Api } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CassetteStore } from '../../src/cassette/store.ts'
import { BY_SOCKET, VitestProject } from '../e2e/vitest-project.ts'
import { isNight } from '../effort.ts'
import {
  liveCases,
  recordedCases,
  saveCases,
  thievishCases,
  type RedirectCase,
} from './redirect-cases.ts'

/** How a test ended, and what its failure says. */
interface Result {
  title: string
  status: string
  said: string
}

type Replay = (project: VitestProject) => Promise<{ output: string; results: Result[] }>

const RUNS: Array<[name: string, run: Replay]> = [
  ['over fetch', (project) => replayTests(project, {})],
  ['over sockets', (project) => replayTests(project, BY_SOCKET)],
  ['in a program without Vitest', replayProgram],
]

let thief: Server
let stolen: string[]
let project: VitestProject
let thievish: RedirectCase[]

beforeAll(async () => {
  stolen = []
  thief = createServer((socket) => {
    stolen.push('a connection')
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      stolen.push(bytes.toString('latin1'))
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nstolen')
    })
  })
  await once(thief.listen(0, '127.0.0.1'), 'listening')
  thievish = thievishCases(port(thief))
  project = new VitestProject('redirects')
  const cases = [...thievish, ...recordedCases()]
  const store = new CassetteStore(project.dir, '__recordings__', 1e9)
  const paths = await saveCases(store, 'redirects.test.ts', cases)
  project.write('paths.json', JSON.stringify(paths))
  project.write('cases.json', JSON.stringify(cases))
})

afterAll(() => void thief.close())

/** Whether a test, or a program, fails with a sentence that says where its answer leads. */
function isSaid({ status, title, said }: Result): boolean {
  const sentence = title.startsWith('node:net')
    ? / 127\.0\.0\.1:\d+ by node:net /
    : / [A-Z]+ https?:\/\/\S+ \S+ to https?:\/\/\S+; /
  return status === 'failed' && sentence.test(said)
}

describe.each(isNight ? RUNS : RUNS.slice(0, 1))('%s', (_, run) => {
  let output: string
  let results: Result[]

  beforeAll(async () => {
    stolen.length = 0
    ;({ output, results } = await run(project))
  })

  test('a thief at the end of a redirect hears nothing', () => {
    expect(results).not.toEqual([])
    expect(stolen).toEqual([])
    expect(output).not.toMatch(/Unhandled/)
  })

  test('whoever is led to it fails, and says so with the command that settles it', () => {
    const titles = thievish.map(({ title }) => title)
    expect(results.filter((result) => titles.includes(result.title) && !isSaid(result))).toEqual([])
    const commands = output.match(/:(?:\s|\\n)+(?:npx vitest-cassette record|RECORD=1 node) /g)
    expect(commands).toHaveLength(titles.filter((title) => !title.startsWith('node:net')).length)
  })

  test('where what it leads to is recorded too, both are replayed', () => {
    const recorded = results.filter(({ title }) => title.startsWith('recorded: '))
    expect(recorded.filter(({ status }) => status !== 'passed')).toEqual([])
    expect(recorded.length + thievish.length).toBe(results.length)
  })
})

test('a redirect is recorded with what it leads to on another host, without its signature, and replayed', async () => {
  const files = startFiles()
  await once(files, 'listening')
  const api = startApi(port(files))
  await once(api, 'listening')
  const live = new VitestProject('redirects', { API: `127.0.0.1:${port(api)}` })
  live.write('cases.json', JSON.stringify(liveCases(`http://127.0.0.1:${port(api)}`)))
  const recording = await live.record([], { OPENAI_API_KEY: 'none', ANTHROPIC_API_KEY: 'none' })
  await Promise.all([api, files].map((server) => server[Symbol.asyncDispose]()))
  expect(recording.exitCode, recording.output).toBe(0)
  for (const file of live.files()) {
    const { exchanges } = live.json(`__recordings__/${file}`)
    expect(exchanges, file).toHaveLength(2)
    expect(exchanges[1].request.url).toMatch(/^http:\/\/localhost:\d+\/files\/7\?part=/)
    expect(JSON.stringify(exchanges)).not.toContain('hunter2')
  }
  expect(await live.findings()).toEqual([])
  for (const env of isNight ? [{}, BY_SOCKET] : [{}]) {
    const replay = await live.run([], { ...env, CONCURRENT: '1' })
    expect(replay.exitCode, replay.output).toBe(0)
  }
})

/** Answers with the status that its path begins with, and leads to a signed address of another host. */
function startApi(portOfFiles: number): Api {
  const server = createApi(async (request, response) => {
    const [, status] = request.url!.split('/')
    const location = `http://localhost:${portOfFiles}/files/7?part=1&signature=hunter2`
    request.resume()
    if (status === '201')
      return response
        .writeHead(201, { 'content-type': 'application/json' })
        .end(JSON.stringify({ urls: { get: location.replace('&signature=hunter2', '') } }))
    return response.writeHead(Number(status), { location }).end('{}')
  })
  return server.listen(0, '127.0.0.1')
}

function startFiles(): Api {
  const server = createApi((request, response) => {
    request.resume()
    const isSigned = request.url!.includes('signature=hunter2') || request.url === '/files/7?part=1'
    response.writeHead(isSigned ? 200 : 403).end('It is on its way.')
  })
  return server.listen(0, 'localhost')
}

function port(server: Server | Api): number {
  return (server.address() as AddressInfo).port
}

async function replayTests(
  project: VitestProject,
  env: Record<string, string>,
): ReturnType<Replay> {
  const { output, tests } = await project.runTests([], env)
  const results = tests.map(({ title, status, failureMessages }) => ({
    title,
    status,
    said: `${failureMessages}`,
  }))
  return { output, results }
}

async function replayProgram(project: VitestProject): ReturnType<Replay> {
  const { output } = await project.shell('node program.mjs')
  const lines = output.split('\n').filter((line) => line.startsWith('{'))
  const results = lines.map((line) => JSON.parse(line))
  return {
    output,
    results: results.map(({ failure, ...result }) => ({ ...result, said: `${failure}` })),
  }
}
