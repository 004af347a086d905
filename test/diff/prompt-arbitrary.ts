import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts'
import type { Message, Part, Prompt, Tool } from '../../src/prompt/prompt.ts'

const nasty = fc.constantFrom(
  ...' |\n|\t|\r\n|\u00a0|\u200b|\u202e|\u2028|\u0085|\u0007|\u0000|\ud800|\u001b[31m'.split('|'),
  ...'::error::x|##[group]|##vso[x]|:|#|[|[-|-]|{+|·|…|\\n|word|other'.split('|'),
  ...'e\u0301|\u00e9|а|a|👩‍💻|日本|\u{e0041}'.split('|'),
)

/** Texts with everything that is hard to print, often equal to one another. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', 'yes', 'no', 'where is my order', 'where is my other order'),
  fc.array(nasty, { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.lorem({ maxCount: 60 }),
)

const anyKey = fc.oneof(fc.constantFrom('a', 'b', 'type', '__proto__', 'a.b', '0'), anyText)

/** JSON values with repeated keys and texts. */
export const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(
      fc.constantFrom<JsonValue>(null, true, 0, 1, '0', ''),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      anyText,
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyKey, tie('value'), { maxKeys: 4 }),
  ),
})).value

const anyObject = fc.dictionary(anyKey, anyJson, { maxKeys: 3 }) as fc.Arbitrary<JsonObject>
const anyId = fc.option(fc.constantFrom('call_1', 'call_2', 'call_3'), { nil: undefined })

const anyPart: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: anyText }),
  fc.record({ type: fc.constant('reasoning' as const), text: anyText }),
  fc
    .record({
      type: fc.constant('tool_call' as const),
      id: anyId,
      name: anyText,
      arguments: anyJson,
    })
    .map(withoutAbsentId),
  fc
    .record({ type: fc.constant('tool_call_response' as const), id: anyId, result: anyJson })
    .map(withoutAbsentId),
  fc.record(
    {
      type: fc.constant('blob' as const),
      mimeType: fc.constantFrom('image/png', 'image/jpeg'),
      hash: fc.constantFrom('a'.repeat(64), 'b'.repeat(64), `${'a'.repeat(63)}b`),
      size: fc.nat(3_000),
    },
    { requiredKeys: ['type', 'hash', 'size'] },
  ),
  fc.record({ type: fc.constant('uri' as const), uri: anyText }),
  fc.record({ type: fc.constant('other' as const), value: anyJson }),
)

const anyMessage: fc.Arbitrary<Message> = fc.record(
  {
    role: fc.oneof(fc.constantFrom('system', 'user', 'assistant', 'tool'), anyText),
    parts: fc.array(anyPart, { maxLength: 3 }),
    extra: anyObject,
  },
  { requiredKeys: ['role', 'parts'] },
)

const anyTool: fc.Arbitrary<Tool> = fc.record(
  {
    name: fc.oneof(fc.constantFrom('lookup', 'refund'), anyText),
    description: anyText,
    parameters: anyJson,
    extra: anyObject,
  },
  { requiredKeys: ['name'] },
)

/** Prompts of every shape, with ids that few calls share. */
export const anyPrompt: fc.Arbitrary<Prompt> = fc.record(
  {
    provider: fc.constantFrom('openai', 'anthropic'),
    operation: fc.constantFrom('chat', 'embeddings'),
    model: anyText,
    parameters: anyObject,
    messages: fc.array(anyMessage, { maxLength: 6 }),
    tools: fc.array(anyTool, { maxLength: 3 }),
  },
  { requiredKeys: ['provider', 'operation', 'parameters', 'messages', 'tools'] },
)

/** Two prompts that have much in common: one shares some pieces of the other. */
export const relatedPrompts: fc.Arbitrary<[Prompt, Prompt]> = fc
  .tuple(anyPrompt, anyPrompt, fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }))
  .map(([one, other, keeps]) => [
    one,
    {
      ...other,
      ...(keeps[0] && { parameters: one.parameters }),
      ...(keeps[1] && { tools: one.tools }),
      messages: mix(one.messages, other.messages, keeps.slice(2)),
    },
  ])

function mix(one: Message[], other: Message[], keeps: boolean[]): Message[] {
  return [
    ...one.filter((_, index) => keeps[index]),
    ...other.filter((_, index) => keeps[index + 9]),
  ]
}

function withoutAbsentId<T extends { id?: string | undefined }>(part: T): T {
  if (part.id === undefined) delete part.id
  return part
}
