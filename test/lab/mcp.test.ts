import { expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { scenario } from './lab.ts'
import { replayCassette } from './replay-cassette.ts'

const STDIO = 'a-model-and-a-tool-over-stdio'
const TRANSPORTS = ['stdio', 'http']

scenario('mcp', (made) => {
  const inFile = (run: 'record' | 'replay', file: string) =>
    made(run).tests.filter((one) => one.file === file && one.state === 'passed')

  test('tools are recorded beside the model, over both transports', async () => {
    expect(made('record').titles('failed')).toEqual([])
    expect(inFile('record', 'tools.test.ts')).toHaveLength(14)
    const cassettes = made('record').cassettes.filter((path) => path.startsWith('tools.test.ts/'))
    expect(cassettes).toHaveLength(14)
    expect((await made('record').cli('verify')).code).toBe(0)
    const all = Object.values(made('record').after).join('')
    expect(all).not.toMatch(/wk-4f9a|mcp-session|progressToken|"clientInfo"/)
    expect(all).toContain('<REDACTED:WEATHER_API_KEY>')
  })

  test('tools are replayed without the servers, whose programs are gone', () => {
    expect(made('replay').has('servers')).toBe(false)
    expect(made('replay').titles('failed')).toEqual([])
    const replayed = inFile('replay', 'tools.test.ts').map(({ cassette }) => cassette.replayed ?? 0)
    expect(replayed).toHaveLength(14)
    expect(replayed.reduce((sum, count) => sum + count)).toBe(53)
  })

  test.for(TRANSPORTS)('another argument fails and is all that is named, over %s', (transport) => {
    const title = `a model and a tool over ${transport}`
    for (const run of ['changed', 'prompts'] as const) {
      expect(made(run).code(title)).toBe('miss')
      expect(made(run).changes(title)).toEqual([
        {
          place: 'message 1 user call get_forecast arguments.city',
          before: 'Bern',
          after: 'Basel',
        },
      ])
    }
    expect(made('changed').test(title).cassette.missed![0]!.url).toContain('mcp://weather')
  })

  test('mode prompts keeps no answer of a tool for other arguments, and says why', async () => {
    await expect(made('prompts').text('a model and a tool over stdio')).toMatchFileSnapshot(
      'golden/mcp/another-argument.txt',
    )
    expect(made('prompts').touched).toEqual([])
  })

  test.for(TRANSPORTS)('another answer of the client to its server fails, over %s', (transport) => {
    const title = `a server that asks the model of its client over ${transport}`
    expect(made('changed').code(title)).toBe('miss')
    expect(made('changed').changes(title)).toMatchObject([
      { before: 'Odd: Why?', after: 'Because.' },
    ])
  })

  test('another answer of a tool is a small change of its cassette', () => {
    expect(made('record again').titles('failed')).toEqual([])
    const linesOf = (run: 'record' | 'record again'): string[] => {
      const { cassettes, after } = made(run)
      return after[cassettes.find((path) => path.includes(STDIO))!]!.split('\n')
    }
    const before = linesOf('record')
    const changed = linesOf('record again').filter((line) => !before.includes(line))
    expect(changed.filter((line) => !line.includes('"seal"'))).toHaveLength(3)
    expect(changed.join('\n')).toContain('snow')
  })

  test.for(['two servers', 'a server at http/json', 'a server at http/stateless'])(
    'mode new records what a changed test asks of a server that was not started before: %s',
    (title) => {
      expect(made('new').test(title).state).toBe('passed')
      expect(made('new').test(title).cassette.recorded).toBe(1)
      const cassette = made('new').cassette(title.replaceAll(/\W/g, '-'))
      const replayed = replayCassette(cassette)
      expect(replayed).toEqual({ actions: cassette.exchanges.map(() => 'replay') })
    },
  )

  test('a transcript has the calls of a server, and what came back', async () => {
    const { code, out } = await made('record').cli('show', STDIO)
    expect(code).toBe(0)
    // What a server can do is another list in each version of its SDK.
    const blocks = out.split('\n\n').filter((text) => !/🔧 (initialize|tools\/list)/.test(text))
    await expect(blocks.join('\n\n')).toMatchFileSnapshot('golden/mcp/transcript.txt')
  })

  test('what only servers have that are reached over HTTP is recorded and replayed', () => {
    for (const run of ['record', 'replay'] as const)
      expect(inFile(run, 'http.test.ts').length).toBeGreaterThan(5)
  })

  test('a program reaches a server by the gateway', needs('curl'), () => {
    for (const run of ['record', 'replay'] as const)
      expect(made(run).test('a program that asks a server by the gateway').state).toBe('passed')
  })

  test('clients of files, of tests with options of their own, and of another version are recorded and replayed', () => {
    for (const run of ['record', 'replay'] as const)
      expect(inFile(run, 'scopes.test.ts')).toHaveLength(8)
  })

  test('the older transport is refused, with the one to use', async () => {
    expect(made('changed').code('the older transport')).toBe('refused')
    await expect(made('changed').text('the older transport')).toMatchFileSnapshot(
      'golden/mcp/older-transport.txt',
    )
  })
})
