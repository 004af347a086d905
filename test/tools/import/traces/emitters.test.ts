import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { QUESTIONS, SYSTEM, TOOLS } from '../../../../emitters/agent.ts'
import { parsed } from '../../../../src/tools/import/traces/messages.ts'
import type { ModelCall } from '../../../../src/tools/import/traces/model-call.ts'
import { expectDocumented, printTable } from '../../../docs-section.ts'
import { isAll } from '../../../effort.ts'
import { needs } from '../../../needs.ts'
import { printed, readTraces } from './spans.ts'

// One agent, traced by the vendors' own instrumentations: `node emitters/capture.ts` makes the files anew.

const folder = fileURLToPath(new URL('../../../../emitters/captured/', import.meta.url))
const versions = JSON.parse(readFileSync(`${folder}versions.json`, 'utf8')) as Record<
  string,
  { versions: string[]; wire: string }
>
const names = Object.keys(versions)
const told = names.filter((name) => !name.endsWith('without-content'))

const RESULTS = ['{"item":"lamp","price":40,"customer":"c-7"}', '{"name":"Ada","refunds":0}']

/** What has been said before each call, without the instructions. */
const CONVERSATION = [
  `user: ${QUESTIONS[0]}`,
  'assistant: Let me look.',
  'assistant: look_up_order({"order":"1042"})',
  'assistant: look_up_customer({"customer":"c-7"})',
  ...RESULTS.map((result) => `result: ${result}`),
  'assistant: refund({"order":"1042"})',
  'result: refunded',
  'assistant: You get 40 euros back, Ada.',
  `user: ${QUESTIONS[1]}`,
]
const SAID_BEFORE = [1, 6, 8, 10].map((length) => CONVERSATION.slice(0, length))
const ANSWERS = [
  'Let me look. look_up_order({"order":"1042"}) look_up_customer({"customer":"c-7"})',
  'refund({"order":"1042"})',
  'You get 40 euros back, Ada.',
  'In three days.',
]

test.for(told)('the trace of %s has the conversation that the agent had', (name) => {
  const calls = callsIn(name, 'plain')
  expect(calls.map(withoutInstructions)).toEqual(SAID_BEFORE)
  expect(calls.map(answerOf)).toEqual(ANSWERS)
  expect(calls.flatMap(({ cut }) => cut)).toEqual([])
  const instructions = calls.map(instructionsOf)
  const held = instructions[0] !== undefined
  expect(instructions).toEqual(calls.map(() => (held ? SYSTEM : undefined)))
  expect(calls.map(({ notHeld }) => notHeld.includes('instructions'))).toEqual(
    calls.map(() => !held),
  )
})

test.for(told)('the trace of %s has the conversation of an agent that streams', (name) => {
  const calls = callsIn(name, 'stream')
  expect(calls.map(withoutInstructions)).toEqual(SAID_BEFORE)
  // One emitter writes nothing of a streamed answer: the last one is lost, and the others stand in the next prompt.
  const isLost = calls.at(-1)!.notHeld.includes('answer')
  expect(calls.map(answerOf)).toEqual([...ANSWERS.slice(0, -1), isLost ? '' : ANSWERS.at(-1)!])
  expect(isLost).toBe(name === 'traceloop-openai-responses')
  expect(new Set(calls.map(({ streamed }) => streamed))).not.toContain(false)
})

test.for(told)(
  'the trace of %s gives each call of a tool the result that the model was sent',
  (name) => {
    const calls = callsIn(name, 'plain')
    const results = calls
      .flatMap(({ answer }) => answer.tool_calls ?? [])
      .map(({ result }) => result)
    // This one has neither the ids of results nor the spans of tools.
    if (name === 'langfuse-langchain')
      return expect(results).toEqual([undefined, undefined, undefined])
    expect(results.map(plain)).toEqual([...RESULTS, 'refunded'].map(plain))
  },
)

test.for(told)('the trace of %s has the error, if it has its call at all', (name) => {
  const calls = tryCalls(name, 'error')
  // These end no span of a call that failed.
  const hasNone = /^(?:traceloop|openinference|phoenix)-openai/.test(name)
  expect(calls.map(({ answer }) => [answer.status, answer.error])).toEqual(
    hasNone ? [] : [[429, 'Rate limit reached']],
  )
})

test.for(names.filter((name) => !told.includes(name)))(
  'the trace of %s is refused, and the setting named',
  (name) => {
    for (const variant of ['plain', 'stream', 'error'])
      expect(() => callsIn(name, variant)).toThrow(
        /ha(?:s|ve) no texts.*OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true/s,
      )
  },
)

test('all that is held is true: the tools, the model, the parameters', () => {
  for (const name of told)
    for (const { prompt, notHeld } of callsIn(name, 'plain')) {
      if (!notHeld.includes('tools'))
        expect(prompt.tools, name).toMatchObject(
          TOOLS.map(({ name, description, parameters }) => ({ name, description, parameters })),
        )
      if (!notHeld.includes('model'))
        expect(prompt.model, name).toMatch(/^(?:gpt-4\.1|claude-opus-5)$/)
      const { temperature, max_tokens: limit, max_output_tokens: output } = prompt.parameters ?? {}
      if (!notHeld.includes('parameters')) expect(temperature, name).toBe(0.2)
      expect([200, undefined], name).toContain(limit ?? output)
    }
})

test('docs/traces.md says what each emitter keeps', async () => {
  const rows = told.map((name) => {
    const plain = callsIn(name, 'plain')
    const stream = callsIn(name, 'stream')
    const errors = tryCalls(name, 'error')
    const lacking = new Set([...plain, ...stream].flatMap(({ notHeld }) => notHeld))
    const restored = [...plain, ...stream].some(({ answer }) => answer.isRestored)
    const notKept = [
      ['the last answer', lacking.has('answer')],
      ['calls of tools', restored],
      ['streams', stream.every(({ streamed }) => streamed !== true)],
      ['errors', errors.length === 0],
      ['instructions', lacking.has('instructions')],
      ['tools', lacking.has('tools')],
      ['parameters', lacking.has('parameters')],
      ['model', lacking.has('model')],
    ].flatMap(([what, isLost]) => (isLost ? [what as string] : []))
    return [versions[name]!.versions.join(', '), versions[name]!.wire, notKept.join(', ') || '–']
  })
  const head = ['Traced by', 'Wire', 'Not kept']
  await expectDocumented('traces.md', 'emitters', printTable([head, ...rows]))
})

if (isAll)
  test(
    'the emitters of today still send what is read',
    { ...needs('emitters'), timeout: 300_000 },
    () => {
      const capture = fileURLToPath(new URL('../../../../emitters/capture.ts', import.meta.url))
      const into = fileURLToPath(new URL('../../../.tmp/captured/', import.meta.url))
      const { status, stderr } = spawnSync(
        process.execPath,
        [capture, '--into', into, '--variant', 'plain'],
        {
          encoding: 'utf8',
        },
      )
      expect(status, stderr).toBe(0)
      for (const name of told) {
        const calls = readTraces(
          readFileSync(`${into}${name}.plain.jsonl`, 'utf8'),
          name,
        ).traces.flatMap(({ calls }) => calls)
        expect(calls.map(withoutInstructions), name).toEqual(SAID_BEFORE)
        expect(calls.map(answerOf), name).toEqual(ANSWERS)
      }
    },
  )

test('each captured file belongs to an emitter', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'))
  expect(new Set(files.map((file) => file.split('.')[0]))).toEqual(new Set(names))
})

function callsIn(name: string, variant: string): ModelCall[] {
  const file = `${name}.${variant}.jsonl`
  const { traces } = readTraces(readFileSync(folder + file, 'utf8'), file)
  expect(traces).toHaveLength(1)
  return traces[0]!.calls
}

function tryCalls(name: string, variant: string): ModelCall[] {
  try {
    return callsIn(name, variant)
  } catch {
    return []
  }
}

function withoutInstructions({ prompt }: ModelCall): string[] {
  const messages = prompt.messages!.filter(({ role }) => role !== 'system')
  return printed({ prompt: { messages } })
}

function instructionsOf({ prompt }: ModelCall): string | undefined {
  const [text] = printed({
    prompt: { messages: prompt.messages!.filter(({ role }) => role === 'system') },
  })
  return text?.replace('system: ', '')
}

function answerOf({ answer }: ModelCall): string {
  const calls = (answer.tool_calls ?? []).map(
    ({ tool_name: name, parameters }) => `${name}(${JSON.stringify(parameters)})`,
  )
  return [answer.text, ...calls].filter(Boolean).join(' ')
}

function plain(result: unknown): unknown {
  return parsed(result as string)
}
