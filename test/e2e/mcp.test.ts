import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

let provider: Upstream
let server: ChildProcess
let project: VitestProject
let recorded: Run
let live: Record<string, string>

const ALL = 14

const STDIO = 'a-model-and-a-tool-over-stdio'

/** Where nobody listens. */
const away = { WEATHER_URL: 'http://127.0.0.1:9' }

beforeAll(async () => {
  provider = await startUpstream()
  project = new VitestProject('mcp')
  server = spawn(process.execPath, [join(project.dir, 'servers/weather.mjs'), 'http'])
  const [port] = (await once(server.stdout!, 'data')) as [Buffer]
  live = { UPSTREAM_URL: provider.oddUrl, WEATHER_URL: `http://127.0.0.1:${Number(port)}` }
  recorded = await project.record(['tools'], live)
})
afterAll(async () => {
  server.kill('SIGKILL')
  await provider.stop()
})

test('tools are recorded beside the model, over both transports', async () => {
  expect(recorded.output).toContain(`${ALL} passed`)
  expect(project.files()).toHaveLength(ALL)
  expect(await project.findings()).toEqual([])
  const all = project.files().map((file) => project.read(`__recordings__/${file}`))
  expect(all.join('')).not.toMatch(/wk-4f9a|mcp-session|progressToken|"clientInfo"/)
  expect(all.join('')).toContain('<REDACTED:WEATHER_API_KEY>')
})

test('they are replayed without the servers, whose programs are gone', async () => {
  const gone = new VitestProject(project.dir)
  gone.remove('servers')
  const run = await gone.run(['tools'], away)
  expect(run.output).toContain(`${ALL} passed`)
  expect(run.output).toContain('53 replayed')
})

test('another argument fails with the diff, over both transports', async () => {
  const run = await project.run(['tools', '-t', 'a model and a tool'], { ...away, CITY: 'Basel' })
  expect(run.output).toContain('2 failed')
  expect(run.output.match(/^ *- .*Bern.*\n *\+ .*Basel/gm)).toHaveLength(2)
  expect(run.output).toContain('POST mcp://weather')
  const prompts = await project.run(['tools', '-t', 'a tool over stdio'], {
    ...away,
    CITY: 'Basel',
    RECORD: 'prompts',
  })
  expect(prompts.output).toContain('the answer of a tool depends on its arguments')
})

test('another answer of the client to its server fails with the diff', async () => {
  const run = await project.run(['tools', '-t', 'asks the model'], { ...away, WORD: 'Because.' })
  expect(run.output).toContain('2 failed')
  expect(run.output).toMatch(/\+ .*Because\./)
})

test('another answer of a tool is a small change of its cassette', async () => {
  const renewed = new VitestProject(project.dir)
  renewed.write('servers/sky.txt', 'snow\n')
  const before = project.read(project.cassette(STDIO)).split('\n')
  const run = await renewed.record(['tools', '-t', 'a model and a tool over stdio'], {
    ...live,
    SKY: 'snow',
  })
  expect(run.output).toContain('1 passed')
  const after = renewed.read(renewed.cassette(STDIO)).split('\n')
  const changed = after.filter((line) => !before.includes(line))
  expect(changed.filter((line) => !line.includes('file_hash'))).toHaveLength(3)
  expect(changed.join('\n')).toContain('snow')
})

test('new records what a changed test asks of a server that was not started before', async () => {
  const more = new VitestProject(project.dir)
  const name = ['tools', '-t', 'two servers']
  const run = await more.run(name, { ...live, RECORD: 'new', MORE: '1' })
  expect(run.output).toContain('1 passed')
  expect(run.output).toContain('1 recorded')
  const again = await more.run(name, { ...away, MORE: '1' })
  expect(again.output).toContain('1 passed')
})

test('a transcript has the calls of a server, and what came back', async () => {
  const { output } = await project.cli(`show ${STDIO}`)
  expect(output).toContain('--- thread-1 of 3, MCP server weather ---')
  expect(output).toMatch(
    /🔌 MCP server weather\n.*\n🔧 get_forecast \(city: Bern\)\n✅ Bern: rain\n +Wind from the west\./,
  )
})

test('what only servers have that are reached over HTTP', needs('curl'), async () => {
  const http = new VitestProject('mcp')
  const run = await http.record(['http'], live)
  expect(run.output).toContain('7 passed')
  const again = await http.run(['http'], away)
  expect(again.output).toContain('7 passed')
  const more = await http.run(['http', '-t', 'a server at'], { ...live, RECORD: 'new', MORE: '1' })
  expect(more.output).toContain('2 recorded')
  const last = await http.run(['http', '-t', 'a server at'], { ...away, MORE: '1' })
  expect(last.output).toContain('6 replayed')
})

test('clients of files, of tests with options of their own, and of another version', async () => {
  const scopes = new VitestProject('mcp')
  const run = await scopes.record(['scopes'], live)
  expect(run.output).toContain('8 passed')
  for (const file of ['weather', 'notes']) scopes.remove(`servers/${file}.mjs`)
  const again = await scopes.run(['scopes'], away)
  expect(again.output).toContain('8 passed')
  const older = await scopes.run(['scopes', '-t', 'older'], { ...live, OLDER: '1' })
  expect(older.output).toContain('Use StreamableHTTPClientTransport')
})

test('what is no server, or named by nothing, is real', async () => {
  const other = new VitestProject('mcp')
  for (const env of [{ RECORD: '1' }, {}]) {
    const run = await other.run(['others'], { ...live, ...env })
    expect(run.output).toContain('4 passed')
    expect(run.output).toMatch(
      /the option mcp names 'weather', 'counter'.*:\n +node servers\/notes\.mjs/,
    )
  }
  expect(other.files()).toEqual([])
})

test('what was answered before a recording is killed is kept', async () => {
  const killed = new VitestProject('mcp')
  await killed.record(['kill'], { KILL: '1' })
  const { output } = await killed.cli('recover --yes')
  expect(output).toContain('2 answers')
  expect(killed.read(killed.cassette('a-recording-that-is-killed'))).toContain('Rome: rain')
})
