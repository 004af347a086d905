import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CliProject } from '../tools/run-cli.ts'
import { expectGolden } from '../golden.ts'
import { HISTORY } from './documents.ts'

const TEST = 'frank.test.ts > answers'
const example = JSON.parse(HISTORY) as { exchanges: [{ prompt: { text: string } }] }
const TEXT = example.exchanges[0].prompt.text

const foreign: Array<[what: string, change: object, named: RegExp]> = [
  ['a version without its zero', { version: '1' }, / 1 .* 1\.0\./],
  ['a version of three numbers', { version: '1.0.0' }, / 1\.0\.0 .* 1\.0\./],
  [
    'a short zone',
    { timestamp: '2023-06-15 16:30:00+02' },
    / 2023-06-15 16:30:00\+02 .* 2023-06-15T14:30:00\.000Z\./,
  ],
  [
    'a date without dashes',
    { timestamp: '20230615T143000Z' },
    / 20230615T143000Z .* 2023-06-15T14:30:00\.000Z\./,
  ],
  ['null in unused fields', { exchanges: [withNulls()] }, /^/],
  [
    'parameters in a text',
    { exchanges: [withParameters('{"param1":"value1"}')] },
    /exchange-1: .* example_tool /,
  ],
]

test('each spelling that is changed is named', async () => {
  let all = ''
  for (const [what, change] of foreign) {
    using project = new CliProject()
    writeFileSync(join(project.root, 'talk.json'), JSON.stringify({ ...example, ...change }))
    const { problems } = await project.run('import', 'talk.json', '--test', TEST)
    all += `# ${what}\n${problems}\n`
  }
  await expectGolden(all, 'changed-spellings')
})

test.for(foreign)('%s is put into our spelling', async ([, change, named]) => {
  using project = new CliProject()
  writeFileSync(join(project.root, 'talk.json'), JSON.stringify({ ...example, ...change }))
  const { code, out, problems } = await project.run('import', 'talk.json', '--test', TEST)
  expect(code, problems).toBe(0)
  expect(problems).toMatch(named)
  const { version, timestamp, exchanges } = JSON.parse(
    readFileSync(join(project.root, out.trim()), 'utf8'),
  )
  expect(version).toBe('1.0')
  expect(Date.parse(timestamp)).toBe(Date.parse('2023-06-15T14:30:00Z'))
  expect(exchanges[0]).toMatchObject({
    prompt: { text: TEXT },
    response: { tool_calls: [{ parameters: { param1: 'value1' } }] },
  })
})

function withNulls(): object {
  const { prompt, response } = withParameters({ param1: 'value1' })
  const more = { reasoning: null, error: null, usage: null }
  return {
    id: null,
    prompt: { ...prompt, hash: null, metadata: null },
    response: { ...response, text: null, ...more },
  }
}

function withParameters(parameters: unknown): { prompt: object; response: object } {
  const [first] = JSON.parse(HISTORY).exchanges
  const [call] = first.response.tool_calls
  return { ...first, response: { ...first.response, tool_calls: [{ ...call, parameters }] } }
}
