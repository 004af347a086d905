import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CliProject } from '../tools/run-cli.ts'
import { expectGolden } from '../golden.ts'
import { CONTEXT, HISTORY } from './documents.ts'

const [history, context] = [JSON.parse(HISTORY) as object, JSON.parse(CONTEXT) as object[]]
const ACTION = { id: 'toolu_1', name: 'computer', type: 'tool_use', input: { action: 'wait' } }
const linesOf = (values: unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join('\n')

const unreadable: Array<[what: string, text: string, named: string]> = [
  ['several histories in a list', JSON.stringify([history, history]), ' 2 '],
  ['several contexts in a list', JSON.stringify([context, context]), ' 2 '],
  ['several histories, one a line', linesOf([history, history]), ' 2 '],
  ['a context, one entry a line', linesOf(context), '[ … ]'],
  ['a list of actions', JSON.stringify([ACTION, ACTION]), 'npx vitest-cassette record'],
  ['an object of another kind', '{"messages":[]}', 'docs/conversations.md'],
  ['nothing', '', 'JSON.'],
  ['a comment', `// a talk\n${HISTORY}`, 'JSON.'],
  ['a context that breaks off', CONTEXT.slice(0, 300), 'JSON: '],
]

test.for(unreadable)(
  'a file with %s is refused, and the message says what to do',
  async ([, text, named]) => {
    using project = new CliProject()
    writeFileSync(join(project.root, 'talk.json'), text)
    for (const words of [
      ['show', 'talk.json'],
      ['import', 'talk.json', '--test', 'a.test.ts > a'],
    ]) {
      const { code, problems } = await project.run(words[0]!, ...words.slice(1))
      expect(code).toBe(1)
      expect(problems).toContain('talk.json')
      expect(problems).toContain(named)
    }
  },
)

test('each file that cannot be read has a reason and a way out', async () => {
  let all = ''
  for (const [what, text] of unreadable) {
    using project = new CliProject()
    writeFileSync(join(project.root, 'talk.json'), text)
    const { problems } = await project.run('show', 'talk.json')
    all += `# ${what}\n${problems}\n`
  }
  await expectGolden(all.replaceAll(/(?<=not? JSON: ).*/g, '<of the parser>'), 'refused-files')
})
