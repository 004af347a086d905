import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffPrompts } from '../../src/diff/diff-prompts.ts'
import { parseJson } from '../../src/json/json-value.ts'
import type { Prompt } from '../../src/prompt/prompt.ts'
import { anyPrompt, relatedPrompts } from './prompt-arbitrary.ts'
import { changesOf, promptOf, summariesOf, textMessage, write } from './support-prompt.ts'
import { summarizeChange } from './as-shown.ts'

describe('a single edit is one change', () => {
  const edits: Array<[name: string, edit: (prompt: Prompt) => void, summary: string]> = [
    ['model', (it) => (it.model = 'gpt-5'), 'model: gpt-4o-mini → gpt-5'],
    ['temperature', (it) => (it.parameters.temperature = 0.2), 'temperature: 0 → 0.2'],
    [
      'system',
      (it) => write(it, 0, 'You are a sales agent.'),
      'message 1 (system): text edited ("support agent. Never pr…" → "sales agent.")',
    ],
    [
      'history',
      (it) => write(it, 2, 'Which one?'),
      'message 3 (assistant): text edited ("order do you mean?" → "one?")',
    ],
    [
      'early user message',
      (it) => write(it, 1, 'Hello'),
      'message 2 (user): text edited ("Where is my order?" → "Hello")',
    ],
    [
      'last user message',
      (it) => write(it, 8, 'Go on'),
      'message 9 (user): text edited ("Summarise the last tick…" → "Go on")',
    ],
    [
      'tool description',
      (it) => (it.tools[0]!.description = 'Finds an order.'),
      'tool "lookup" description: edited ("Looks an order up by it…" → "Finds an order.")',
    ],
    ['provider', (it) => (it.provider = 'groq'), 'provider: openai → groq'],
    ['operation', (it) => (it.operation = 'responses'), 'operation: chat → responses'],
    ['new parameter', (it) => (it.parameters.seed = 1), 'seed: added'],
    ['lost parameter', (it) => delete it.parameters.temperature, 'temperature: removed'],
    ['lost model', (it) => delete it.model, 'model: removed'],
    [
      'role',
      (it) => (it.messages[0]!.role = 'developer'),
      'message 1 (developer) role: system → developer',
    ],
    [
      'extra field',
      (it) => (it.messages[1]!.extra = { name: 'Ann' }),
      'message 2 (user) name: added',
    ],
    ['new tool', (it) => it.tools.push({ name: 'cancel' }), 'tool "cancel": added'],
    ['lost tool', (it) => it.tools.pop(), 'tool "refund": removed'],
    [
      'renamed tool',
      (it) => (it.tools[1]!.name = 'pay_back'),
      'tool "pay_back" name: refund → pay_back',
    ],
    [
      'strict tool',
      (it) => (it.tools[0]!.extra = { strict: true }),
      'tool "lookup" extra.strict: added',
    ],
    [
      'order of tools',
      (it) => it.tools.reverse(),
      'order of tools: 1 lookup, 2 refund → 2 refund, 1 lookup',
    ],
  ]

  test.each(edits)('%s', (_name, edit, summary) => {
    expect(summariesOf(edit)).toEqual([summary])
  })

  test('deep inside a parameter, with its path', () => {
    const changes = changesOf((prompt) => {
      prompt.parameters.response_format = parseJson(
        '{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object","required":["key","name"]}}}',
      )
    })
    expect(changes.map(summarizeChange)).toEqual([
      'response_format.json_schema.schema.required[0]: id → key',
    ])
  })

  test('deep inside the schema of a tool', () => {
    const changes = changesOf((prompt) => {
      prompt.tools[0]!.parameters = {
        type: 'object',
        properties: { id: { type: 'string' } },
        required: ['id'],
      }
    })
    expect(changes.map(summarizeChange)).toEqual([
      'tool "lookup" parameters.properties.id.type: number → string',
    ])
  })
})

test('numbers that say the same are no change, however they are spelled', () => {
  const parse = (text: string): Prompt => ({
    ...promptOf('Hi'),
    parameters: { temperature: parseJson(text) },
  })
  expect(diffPrompts(parse('1.0'), parse('1'))).toEqual([])
  expect(diffPrompts(parse('9007199254740993'), parse('9007199254740992'))).toHaveLength(1)
})

test('a conversation of thousands of new messages is still compared', () => {
  const long = (word: string): Prompt => ({
    ...promptOf(''),
    messages: Array.from({ length: 3_000 }, (_, index) => textMessage('user', `${word} ${index}`)),
  })
  expect(diffPrompts(long('yes'), long('no'))).toHaveLength(3_000)
})

describe('any prompts', () => {
  /** What counts of a prompt, written by other means than those under test. */
  function contentOf(prompt: Prompt): string {
    return JSON.stringify(prompt, (key, value: unknown) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
      const kept = Object.entries(value).filter(
        ([name, child]) =>
          !(
            name === 'id' &&
            'type' in value &&
            typeof value.type === 'string' &&
            value.type.startsWith('tool_call')
          ) && !(name === 'extra' && key !== 'extra' && Object.keys(child as object).length === 0),
      )
      return Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)))
    })
  }

  test('equal prompts have no changes', () => {
    fc.assert(
      fc.property(anyPrompt, (prompt) => {
        const copy = structuredClone(prompt)
        for (const part of copy.messages.flatMap((message) => message.parts)) {
          if ('id' in part && part.id) part.id = `renamed ${part.id}`
        }
        expect(diffPrompts(prompt, copy)).toEqual([])
      }),
    )
  })

  test('prompts that differ in anything but ids have changes', () => {
    fc.assert(
      fc.property(relatedPrompts, ([one, other]) => {
        fc.pre(contentOf(one) !== contentOf(other))
        expect(diffPrompts(one, other)).not.toEqual([])
      }),
      { numRuns: 400 },
    )
  })
})
