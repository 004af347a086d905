import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CliProject } from '../tools/run-cli.ts'
import { CONTEXT, HISTORY } from './documents.ts'

const [history, context] = [JSON.parse(HISTORY) as object, JSON.parse(CONTEXT) as object[]]
const ACTION = { id: 'toolu_1', name: 'computer', type: 'tool_use', input: { action: 'wait' } }
const linesOf = (values: unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join('\n')

test.for<[what: string, text: string, said: string]>([
  [
    'several histories in a list',
    JSON.stringify([history, history]),
    'It is a list of 2 conversations.',
  ],
  [
    'several contexts in a list',
    JSON.stringify([context, context]),
    'put each into a file of its own',
  ],
  ['several histories, one a line', linesOf([history, history]), 'Each of its 2 lines is JSON.'],
  ['a context, one entry a line', linesOf(context), 'a context is one list: [ … ].'],
  ['a list of actions', JSON.stringify([ACTION, ACTION]), 'It holds the actions of an agent'],
  ['an object of another kind', '{"messages":[]}', 'docs/conversations.md shows each.'],
  ['nothing', '', 'is neither a history nor a context: it is no JSON.'],
  ['a comment', `// a talk\n${HISTORY}`, 'is neither a history nor a context: it is no JSON.'],
  ['a context that breaks off', CONTEXT.slice(0, 300), 'is no context file: it is no JSON: '],
])('a file with %s is refused, and the message says what to do', async ([, text, said]) => {
  using project = new CliProject()
  writeFileSync(join(project.root, 'talk.json'), text)
  for (const words of [
    ['show', 'talk.json'],
    ['import', 'talk.json', '--test', 'a.test.ts > a'],
  ]) {
    const { code, problems } = await project.run(words[0]!, ...words.slice(1))
    expect(code).toBe(1)
    expect(problems).toContain('talk.json')
    expect(problems).toContain(said)
  }
})
