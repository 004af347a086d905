import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { readText } from '../../src/wire/body.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import { describeTurns } from '../../src/recording/describe.ts'
import { keepUnchanged } from '../../src/recording/keep-unchanged.ts'
import { readBody } from '../../src/wire/read-body.ts'
import { GitProject } from '../tools/git-project.ts'

const BUILT = fileURLToPath(new URL('../../dist/cli.mjs', import.meta.url))

/** How a recording differs from the first one. */
interface Variant {
  tone?: string
  model?: string
  answer?: string
}

/** The support agent of a shop: it looks an order up, and answers in a stream. */
function agent(name: string, { tone = 'kind', model = 'gpt-5-mini', answer }: Variant): Cassette {
  const tools = [
    {
      type: 'function',
      function: {
        name: 'look_up_order',
        description: 'Looks an order up.',
        parameters: { type: 'object', properties: { order: { type: 'integer' } } },
      },
    },
  ]
  const asked: JsonObject[] = [
    { role: 'system', content: `You are the support agent of a lamp shop. Be ${tone} and brief.` },
    { role: 'user', content: `Where is the order of ${name}?` },
  ]
  const call = {
    id: `call_${name}Xq7Lw2Rz9T`,
    type: 'function',
    function: { name: 'look_up_order', arguments: '{"order":7}' },
  }
  const said = answer ?? `The lamp of ${name} is on its way, and arrives tomorrow.`
  const history: JsonObject[] = [
    ...asked,
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: call.id, content: '{"status":"shipped"}' },
  ]
  const turnOf = (messages: JsonObject[], bytes: string, type: string) => ({
    incoming: readIncoming({
      method: 'POST',
      url: 'https://api.openai.com/v1/chat/completions',
      body: readText(
        JSON.stringify({ model, messages, tools, stream: type !== 'application/json' }),
      ),
    }),
    response: {
      status: 200,
      headers: { 'content-type': type },
      body: readBody(Buffer.from(bytes), type),
    },
    durationMs: 812,
  })
  const head = {
    id: `chatcmpl-${name}pDeb73Lq`,
    object: 'chat.completion',
    created: 1795710407,
    model,
  }
  const whole = {
    ...head,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: null, tool_calls: [call] },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 91, completion_tokens: 17, total_tokens: 108 },
  }
  const events = (said.match(/.{1,9}/gs) ?? []).map((content) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  }))
  const stream = [
    ...events.map((event) => `data: ${JSON.stringify(event)}\n\n`),
    'data: [DONE]\n\n',
  ]
  return {
    conversationId: `${name}.test.ts > says where the order is`,
    timestamp: '2026-11-26T16:26:47.000Z',
    exchanges: describeTurns([
      turnOf(asked, JSON.stringify(whole), 'application/json'),
      turnOf(history, stream.join(''), 'text/event-stream'),
    ]),
  }
}

const NAMES = Array.from({ length: 20 }, (_, at) => `customer-${at + 1}`)
const pathOf = (name: string): string => `${name}.test.ts/says-where-0123456789.json`

/** Recordings as they are made again. */
function again(variant: Variant, names: readonly string[] = NAMES): Array<[string, Cassette]> {
  return names.map((name) => {
    const fresh = { ...agent(name, variant), timestamp: '2026-12-01T08:00:00.000Z' }
    return [pathOf(name), keepUnchanged()(agent(name, {}), fresh)]
  })
}

/** How many lines a diff adds and removes. */
function countLines(diff: string): [added: number, removed: number] {
  const lines = diff.split('\n').filter((line) => !/^(\+\+\+|---) /.test(line))
  return [
    lines.filter((line) => line.startsWith('+')).length,
    lines.filter((line) => line.startsWith('-')).length,
  ]
}

async function openProject(): Promise<GitProject> {
  const project = new GitProject()
  const bin = join(project.root, 'node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  const command = join(bin, 'vitest-cassette')
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${BUILT}' "$@"\n`)
  chmodSync(command, 0o755)
  writeFileSync(join(project.root, '.gitignore'), 'node_modules\n')
  await project.run('init', '--yes')
  await project.commit(...NAMES.map((name): [string, Cassette] => [pathOf(name), agent(name, {})]))
  return project
}

/** The lines added and removed, in the files and as the textconv of `init` shows them. */
type Counts = [files: [added: number, removed: number], shown: [added: number, removed: number]]

test('what a reviewer reads of a recording stays short', { timeout: 300_000 }, async () => {
  using project = await openProject()
  const told: Record<string, Counts> = {}
  const show = (...words: string[]): { plain: string; shown: string; counts: Counts } => {
    const plain = project.git('diff', '--no-textconv', ...words)
    const shown = project.git('diff', ...words)
    return { plain, shown, counts: [countLines(plain), countLines(shown)] }
  }
  const discard = (): void => void project.git('reset', '-q', '--hard')
  await project.saveAll([[pathOf('new'), agent('new', {})]])
  project.git('add', '-A')
  told['a new test'] = show('--cached').counts
  discard()

  await project.saveAll(again({}))
  told['nothing new in 20'] = show().counts
  await project.saveAll(again({ tone: 'warm' }))
  const word = show()
  told['a word in 20'] = word.counts
  expect(word.shown).toMatch(/^-  You .* Be kind and brief\.\n\+  You .* Be warm and brief\.$/m)
  expect(word.shown).toMatch(/^\+recorded: 2026-12-01 \(oldest answer: 2026-11-26\)$/m)
  discard()

  await project.saveAll(again({ model: 'gpt-5.1-mini' }))
  const model = show()
  told['a model in 20'] = model.counts
  expect(model.shown).toMatch(/^-model: gpt-5-mini\n\+model: gpt-5\.1-mini$/m)
  discard()

  const [name = ''] = NAMES
  project.git('checkout', '-q', '-b', 'other')
  await project.commit(...again({ answer: 'It is lost.' }, [name]))
  project.git('checkout', '-q', 'main')
  await project.commit(...again({ tone: 'warm' }, [name]))
  expect(() => project.git('merge', 'other')).toThrow()
  told['a conflict'] = show().counts
  expect(project.git('status', '--short')).toBe(`UU __recordings__/${pathOf(name)}\n`)
  expect((await project.run('resolve')).problems).toContain('resolve --theirs')
  // What each branch has changed.
  expect(project.git('diff', 'main...other')).toMatch(/^\+  It is lost\.$/m)
  expect(told).toEqual(COUNTS)
})

const COUNTS: Record<string, Counts> = {
  'a new test': [
    [116, 0],
    [33, 0],
  ],
  'nothing new in 20': [
    [0, 0],
    [0, 0],
  ],
  'a word in 20': [
    [40, 40],
    [60, 60],
  ],
  'a model in 20': [
    [220, 120],
    [60, 60],
  ],
  'a conflict': [
    [0, 0],
    [0, 0],
  ],
}
