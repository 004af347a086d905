import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CliProject } from '../tools/run-cli.ts'
import { HISTORY } from './documents.ts'

const TEST = 'frank.test.ts > answers'
const example = JSON.parse(HISTORY) as { exchanges: [{ prompt: { text: string } }] }
const TEXT = example.exchanges[0].prompt.text

test.for<[what: string, change: object, note: string]>([
  ['a version without its zero', { version: '1' }, 'The version 1 is now 1.0.'],
  ['a version of three numbers', { version: '1.0.0' }, 'The version 1.0.0 is now 1.0.'],
  [
    'a short zone',
    { timestamp: '2023-06-15 16:30:00+02' },
    'The timestamp 2023-06-15 16:30:00+02 is now 2023-06-15T14:30:00.000Z.',
  ],
  [
    'a date without dashes',
    { timestamp: '20230615T143000Z' },
    'The timestamp 20230615T143000Z is now 2023-06-15T14:30:00.000Z.',
  ],
  ['null in unused fields', { exchanges: [withNulls()] }, ''],
  [
    'parameters in a text',
    { exchanges: [withParameters('{"param1":"value1"}')] },
    'exchange-1: the parameters of example_tool were a text of JSON; they are now an object.',
  ],
])('%s is put into our spelling', async ([, change, note]) => {
  using project = new CliProject()
  writeFileSync(join(project.root, 'talk.json'), JSON.stringify({ ...example, ...change }))
  const { code, out, problems } = await project.run('import', 'talk.json', '--test', TEST)
  expect(code, problems).toBe(0)
  expect(problems).toContain(note)
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
