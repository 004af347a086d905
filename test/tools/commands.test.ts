import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { resumeConversation } from '../../src/histories/resume-conversation.ts'
import { recordAgent, type AgentTurn } from '../conversation/example-agent.ts'
import { anthropicWire, chatWire } from '../conversation/example-wires.ts'
import { question, recorded } from '../engine/example-session.ts'
import { coded, expectGolden, failureOf } from '../golden.ts'
import { CliProject } from './run-cli.ts'

const turns: AgentTurn[] = ['one', 'two', 'three'].map((name) => ({
  question: `question ${name}`,
  arguments: { name },
  result: `result ${name}`.repeat(40),
  answer: `answer ${name}`,
}))

const AGENT = 'agent.test.ts/answers-0123456789.json'
const CLAUDE = 'claude.test.ts/answers-abcdef0123.json'

const HISTORIES = ['export', 'import', 'resume', 'list', 'delete', 'hash', 'workspaces']

async function openProject(): Promise<CliProject> {
  const project = new CliProject()
  await project.save(AGENT, recordAgent(chatWire, turns, { window: 4 }))
  await project.save(CLAUDE, recordAgent(anthropicWire, turns, { stream: true }))
  return project
}

/** The folder of the one workspace of a store. */
function workspaceIn(project: CliProject): string {
  return join(project.root, 'store', readdirSync(join(project.root, 'store'))[0]!)
}

function conversationIn(project: CliProject, name: string): string {
  return readdirSync(workspaceIn(project)).find((id) => id.includes(name))!
}

test('list names every cassette', async () => {
  using project = await openProject()
  const { code, out } = await project.run('show')
  expect(code).toBe(0)
  expect(out).toMatch(/agent\.test\.ts\/answers-0123456789\.json +6 +3 +1 +gpt-5/)
  expect(out).toMatch(/claude-sonnet-4-5/)
})

test.each(['show', 'recover'])(
  'without a terminal %s cuts no name, since names are meant to be typed',
  async (command) => {
    using project = new CliProject()
    const path = `packages/${'deep/'.repeat(30)}agent.test.ts/answers-0123456789.json`
    const cassette = recordAgent(chatWire, turns)
    await (command === 'show' ? project.save(path, cassette) : project.park(path, cassette))
    expect((await project.run(command)).out).toContain(path)
    expect((await project.run(command, '--width', '80')).out).not.toContain(path)
  },
)

test('show finds a cassette by its path, a piece of it, or the title', async () => {
  using project = await openProject()
  for (const name of [AGENT, `__recordings__/${AGENT}`, '0123456789', 'OPENAI-chat']) {
    const { code, out } = await project.run('show', name)
    expect(code).toBe(0)
    expect(out).toContain('answer three')
    expect(out).not.toContain('claude')
  }
})

test('show writes data that can be read', async () => {
  using project = await openProject()
  const json = await project.run('show', AGENT, '--format', 'json')
  expect(JSON.parse(json.out).threads[0].entries.length).toBeGreaterThan(6)
  const context = await project.run('show', AGENT, '--format', 'context')
  expect(JSON.parse(context.out)[1]).toMatchObject({ index: 1, turn: 1, role: 'user' })
  const markdown = await project.run('show', AGENT, '--format', 'markdown')
  expect(markdown.out).toContain('**User** · turn 3')
})

test('show --json is one list of all that match', async () => {
  using project = await openProject()
  const { code, out } = await project.run('show', '.json', '--json')
  expect(code).toBe(0)
  const all = JSON.parse(out) as Array<{ name: string; threads: unknown[] }>
  expect(all.map(({ name }) => name).toSorted()).toEqual([AGENT, CLAUDE])
  expect(all.every(({ threads }) => threads.length === 1)).toBe(true)
  const two = await project.run('show', '--json', '--summary')
  expect([two.code, two.out]).toEqual([2, ''])
})

test('stats counts each test and all of them, and what has no price is unknown', async () => {
  using project = await openProject()
  await project.save('x.test.ts/x-0.json', recorded([question('Hi', { model: 'unheard-of' }), 'x']))
  const { out } = await project.run('show', '--stats')
  expect(out).toMatch(/agent.test.ts > openai-chat +6 +3 +600 +0 +60 +0 +\$0\.0013 +6\.0 s/)
  expect(out).toMatch(/a\.test\.ts > asks .* unknown/)
  expect(out).toMatch(/all +13 .*> \$0\./)
  expect(out).toContain('█')
  await expectGolden(
    out.split('\n').find((line) => line.includes('unheard-of'))!,
    'no-price',
  )
  const data = await project.run('show', '--stats', '--json')
  expect(JSON.parse(data.out).total).toMatchObject({ unknownModels: ['unheard-of'] })
  writeFileSync(join(project.root, 'p.json'), '{"unheard-of":{"input":1,"output":1}}')
  const own = await project.run('show', '--stats', '--prices', 'p.json', '--json')
  expect(JSON.parse(own.out).total).toMatchObject({ exchanges: 13, unknownModels: [] })
  const none = await project.run('show', '--stats', '--prices', 'none.json')
  expect([none.code, none.problems]).toEqual([2, expect.stringContaining('none.json')])
})

test('what is exported and imported again is the same, byte for byte', async () => {
  using project = await openProject()
  const recordings = join(project.root, '__recordings__')
  cpSync(recordings, join(project.root, 'before'), { recursive: true })
  expect((await project.run('history', 'export', '--store', 'store')).code).toBe(0)
  rmSync(recordings, { recursive: true })
  expect((await project.run('import', '--store', 'store')).code).toBe(0)
  for (const path of [AGENT, CLAUDE]) {
    const before = readFileSync(join(project.root, 'before', path), 'utf8')
    expect(readFileSync(join(recordings, path), 'utf8')).toBe(before)
  }
})

test('the store has the layout that its readers expect', async () => {
  using project = await openProject()
  await project.run('history', 'export', '--store', 'store')
  expect(workspaceIn(project)).toMatch(/\/[0-9a-f]{8}-vitest-cassette-cli-\w+$/)
  const id = conversationIn(project, 'abcdef0123')
  const metadata = JSON.parse(readFileSync(join(workspaceIn(project), id, 'metadata.json'), 'utf8'))
  expect(metadata).toMatchObject({
    id,
    model_id: 'claude-sonnet-4-5',
    system_prompt: 'Be kind.',
    message_count: 12,
    task_count: 3,
    completed_tasks: 3,
    token_usage: { input_tokens: 600, output_tokens: 60, total_cost: expect.closeTo(0.0027) },
  })
  const index = JSON.parse(readFileSync(join(workspaceIn(project), 'index.json'), 'utf8'))
  expect(index.conversations).toHaveLength(2)
})

test('workspaces of one name stay apart', async () => {
  using project = await openProject()
  for (const parent of ['a', 'b']) {
    mkdirSync(join(project.root, parent, 'app'), { recursive: true })
    await project.run('history', 'export', '--store', 'store', '--workspace', `${parent}/app`)
  }
  const names = readdirSync(join(project.root, 'store'))
  expect(names).toEqual([expect.stringMatching(/-app$/), expect.stringMatching(/-app$/)])
})

test('resume gives what a provider takes, as the library call does', async () => {
  using project = await openProject()
  await project.run('history', 'export', '--store', 'store')
  const id = conversationIn(project, '0123456789')
  const { code, out } = await project.run(
    'history',
    'resume',
    id,
    '--store',
    'store',
    '--for',
    'anthropic-messages',
  )
  expect(code).toBe(0)
  const store = join(project.root, 'store')
  const called = await resumeConversation(id, {
    store,
    workspace: project.root,
    format: 'anthropic-messages',
  })
  expect(called).toEqual(JSON.parse(out))
  expect(out).toContain('answer three')
  const resumeNobody = () => resumeConversation('nobody', { store, workspace: project.root })
  await expect(resumeNobody()).rejects.toThrow(coded('invalid-conversation'))
  await expectGolden(await failureOf(resumeNobody), 'nobody', {
    [project.root]: '<root>',
    [basename(workspaceIn(project))]: '<workspace>',
  })
})

test('bad lines, a half-written tail and missing metadata are named, and the rest is served', async () => {
  using project = await openProject()
  await project.run('history', 'export', '--store', 'store')
  const id = conversationIn(project, '0123456789')
  const folder = join(workspaceIn(project), id)
  const lines = readFileSync(join(folder, 'messages.jsonl'), 'utf8').split('\n')
  lines[1] = '{ broken'
  lines[2] = '{"role":"nobody","content":"","timestamp":"2026-01-01T00:00:00Z"}'
  writeFileSync(join(folder, 'messages.jsonl'), `${lines.join('\n')}{"role":"us`)
  rmSync(join(folder, 'metadata.json'))
  const { code, out, problems } = await project.run('show', id, '--store', 'store')
  expect(code).toBe(1)
  expect(out).toContain('answer three')
  expect(problems).toContain(`bad-line: ${id}/messages.jsonl, line 2: `)
  expect(problems).toMatch(/bad-line: .* line 3: at \/role/)
  expect(problems).toMatch(/half-written-tail: .*\/messages\.jsonl, line 13: .* 11 /)
  expect(problems).toContain(`missing-metadata: ${id}/metadata.json`)
  // What follows the place is said by the library that checks fields.
  await expectGolden(problems.replace(/(\/role: ).*/, '$1…'), 'damaged')
  expect((await project.run('history', 'resume', id, '--store', 'store')).out).toContain(
    'answer three',
  )
})

test('half a conversation replaces no cassette', async () => {
  using project = await openProject()
  await project.run('history', 'export', '--store', 'store', AGENT)
  const folder = join(workspaceIn(project), conversationIn(project, '0123456789'))
  const text = readFileSync(join(folder, 'messages.jsonl'), 'utf8')
  writeFileSync(join(folder, 'messages.jsonl'), text.slice(0, -100))
  const before = readFileSync(join(project.root, '__recordings__', AGENT), 'utf8')
  const { code, problems } = await project.run('import', '--store', 'store', '--force')
  expect(code).toBe(1)
  expect(problems).toContain(AGENT)
  await expectGolden(problems, 'half-a-conversation')
  expect(readFileSync(join(project.root, '__recordings__', AGENT), 'utf8')).toBe(before)
})

test('a context file becomes the cassette of a test', async () => {
  using project = await openProject()
  const { out } = await project.run('show', AGENT, '--format', 'context')
  writeFileSync(join(project.root, 'talk.json'), out)
  const test = 'new.test.ts > talks'
  expect((await project.run('import', 'talk.json', '--test', test)).code).toBe(0)
  expect(existsSync(join(project.root, '__recordings__/new.test.ts'))).toBe(true)
  const again = await project.run('show', 'new.test.ts > talks', '--format', 'context')
  expect(JSON.parse(again.out)).toEqual(JSON.parse(out))
  const refused = await project.run('import', 'talk.json', '--test', test)
  expect([refused.code, refused.problems]).toEqual([2, expect.stringContaining('--force')])
})

const REFUSED: Array<[words: string[], said: string]> = [
  [['shw'], ' show?'],
  [['exprot'], ' history export?'],
  [['history', 'exprot'], ' history export?'],
  [['show', '--formt', 'x'], "'--formt'"],
  [['show', '--format', 'yaml'], ' transcript, context, history, json, markdown'],
  [['show', 'agnt'], AGENT],
  [['show', '--dir', 'nowhere'], 'npx vitest-cassette record'],
  [['show', '--store', 'nowhere'], 'vitest-cassette history export'],
  [['show', '--format', 'context'], CLAUDE],
  [['show', AGENT, '--thread', '2'], '1 thread'],
  [['history', 'resume'], 'resume'],
  [['history', 'resume', AGENT, '--for', 'x'], 'openai-chat, openai-responses, anthropic-messages'],
  [['history', 'export'], '--store'],
  [['import'], '--store'],
]

test.for(REFUSED)('%j is refused, and what to do is said', async ([words, said]) => {
  using project = await openProject()
  const { code, problems } = await project.run(...words)
  expect(problems).toContain(said)
  expect(code).toBe(2)
})

test('a refusal says what to do', async () => {
  using project = await openProject()
  const texts: string[] = []
  for (const [words] of REFUSED) {
    const { problems } = await project.run(...words)
    // The help follows.
    const [refusal] = problems.split(/\n\n(?=vitest-cassette |Usage)/)
    texts.push(`${words.join(' ')}\n${refusal!.trimEnd()}`)
  }
  await expectGolden(texts.join('\n\n'), 'refused')
})

test('the help has the commands in groups', async () => {
  using project = await openProject()
  const { code, out } = await project.run('--help')
  expect(code).toBe(0)
  const groups = Array.from(out.matchAll(/^([a-z ]+):\n((?: {2}.*\n)+)/gm), ([, group, lines]) => [
    group,
    lines!.split('\n').flatMap((line) => /^ {2}((?:history )?\w+)/.exec(line)?.[1] ?? []),
  ])
  expect(Object.fromEntries(groups)).toEqual({
    daily: ['record', 'diff', 'review', 'verify', 'show'],
    upkeep: 'prune move recover resolve doctor init invalidate params'.split(' '),
    questions: ['rehearse', 'mutate'],
    'other programs': ['run'],
    'other tools': ['import'],
  })
  const ofHistories = await project.run('history', '--help')
  expect([ofHistories.code, ofHistories.out]).toEqual([0, expect.stringContaining('history hash')])
  expect(ofHistories.out).not.toContain('review')
  expect((await project.run('history')).code).toBe(2)
  const unknown = await project.run('history', 'record')
  expect([unknown.code, unknown.problems]).toEqual([2, expect.stringContaining("'history record'")])
})

// `import` reads the files of other tools as well.
test.for(HISTORIES.filter((word) => word !== 'import'))(
  '%s is a command of histories, and of nothing else',
  async (word) => {
    using project = await openProject()
    const { code, out } = await project.run('history', word, '--help')
    expect([code, out]).toEqual([0, expect.stringContaining(`vitest-cassette history ${word} `)])
    expect((await project.run(word)).code).toBe(2)
  },
)

test('the conversations of a store are listed', async () => {
  using project = await openProject()
  await project.run('history', 'export', '--store', 'store')
  const listed = await project.run('history', 'list', '--store', 'store')
  expect(listed).toEqual(await project.run('show', '--store', 'store'))
  expect(listed.out).toContain('answers-')
})

test('a cassette that cannot be read is named, and the others are shown', async () => {
  using project = await openProject()
  writeFileSync(join(project.root, '__recordings__', AGENT), '{')
  const { code, out, problems } = await project.run('show', '--full')
  expect(code).toBe(1)
  expect(problems).toContain(AGENT)
  expect(out).toContain('answer three')
})
