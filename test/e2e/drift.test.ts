import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { failureIn, VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let run: Run

beforeAll(async () => {
  upstream = await startUpstream()
  const project = new VitestProject('drift', { ODD_URL: upstream.oddUrl })
  const recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  await upstream.stop()
  run = await project.run([], { CHANGED: '1' })
})

afterAll(() => upstream.stop())

test.each([
  ['the model', ['  model\n    - gpt-5\n    + gpt-5-mini\n']],
  ['the temperature', ['temperature: 0 → 0.2']],
  ['the system prompt', ['message 1 · system', '[-kind-]', '{+formal+}']],
  ['the history', ['message 2 · user', '[-bicycle-]', '{+tricycle+}']],
  ['the first word of the user', ['message 4 · user', '[-Please-]', '{+Kindly+}']],
  ['the last word of the user', ['message 4 · user', '[-now-]', '{+today+}']],
  [
    'the description of a tool',
    ['tool "look_up_order"', 'description', '[-Looks up-]', '{+Finds+}'],
  ],
  [
    'the order of arguments',
    [
      'tool "look_up_order"',
      'parameters.properties (order)',
      '- number, detail',
      '+ detail, number',
    ],
  ],
  ['the route of a gateway', ['header x-portkey-provider', 'openai', 'groq']],
  ['the format of the answer', ['header accept', 'audio/mpeg']],
  ['the host of a model', ['qwen.localhost', 'provider']],
])('a single edit fails the test and is what the diff names: %s', (title, shown) => {
  const block = failureIn(run, `drift.test.ts > ${title}\n`)
  for (const text of shown) expect(block).toContain(text)
  // One change, whatever it is: nothing else is called changed.
  expect(block).toContain('1 change away')
  expect(block.match(/^ {4}- /gm)?.length ?? 0).toBeLessThanOrEqual(1)
})

test('messages in another order fail the test, and the diff says which', () => {
  expect(failureIn(run, 'drift.test.ts > the order of two messages\n')).toMatch(
    /messages \d and \d: swapped/,
  )
})

test('without an edit the same request passes', () => {
  expect(run.output).toContain('✓ nothing at all')
  expect(run.exitCode).toBe(1)
  expect(run.output).toMatch(/Tests {2}12 failed \| 1 passed/)
})
