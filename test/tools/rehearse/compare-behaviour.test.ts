import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import type { Completion } from '../../../src/prompt/completion.ts'
import {
  type Behaviour,
  compareBehaviour,
  isRefusal,
} from '../../../src/tools/rehearse/compare-behaviour.ts'

function says(text: string, more: Partial<Completion> = {}): Behaviour {
  const completion = { text, toolCalls: [], finishReasons: ['stop'], ...more }
  return { completion, isRefusal: isRefusal(completion) }
}

function calls(...toolCalls: Array<[string, JsonValue]>): Behaviour {
  return says('', {
    toolCalls: toolCalls.map(([name, given], index) => ({
      id: `c${index}`,
      name,
      arguments: given,
    })),
    finishReasons: ['tool_calls'],
  })
}

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    mood: { type: 'string', enum: ['good', 'bad'] },
    why: { type: 'string' },
    score: { type: 'number' },
    extra: { type: 'string' },
  },
  required: ['mood', 'why'],
}

const weather = (city: string): [string, JsonValue] => ['weather', { city, unit: 'C' }]

test.for<[string, Behaviour, Behaviour, string[], JsonObject?]>([
  ['another tool', calls(weather('Rome')), calls(['time', {}]), ['tool', 'tool']],
  ['a call more', calls(weather('Rome')), calls(weather('Rome'), weather('Oslo')), ['tool']],
  ['words instead of a call', calls(weather('Rome')), says('It rains.'), ['tool']],
  ['another argument', calls(weather('Rome')), calls(weather('Oslo')), ['argument']],
  ['an argument less', calls(weather('Rome')), calls(['weather', { city: 'Rome' }]), ['argument']],
  ['an argument of another type', calls(['f', { n: 1 }]), calls(['f', { n: '1' }]), ['argument']],
  ['another end', says('One.'), says('One', { finishReasons: ['length'] }), ['finish']],
  [
    'a refusal in words',
    says('Yes.'),
    says('I am very sorry, but I cannot help with that.'),
    ['refusal'],
  ],
  ['a refusal by its reason', says('Yes.'), says('', { finishReasons: ['refusal'] }), ['refusal']],
  ['no refusal any more', says('I cannot assist with this.'), says('Here it is.'), ['refusal']],
  ['nothing', says('Yes.'), says(''), ['empty']],
  ['a cut answer', says('Yes.'), says('Ye', { incomplete: true }), ['cut']],
  ['a field less', says('{"a":1,"b":2}'), says('{"a":1}'), ['shape']],
  ['a field more', says('{"a":1}'), says('{"a":1,"b":{}}'), ['shape']],
  ['a field of another type', says('{"a":1}'), says('{"a":"1"}'), ['shape']],
  ['a field less in a list', says('[{"a":1,"b":1}]'), says('[{"a":1}]'), ['shape']],
  ['another decision', says('{"ok":true}'), says('{"ok":false}'), ['shape']],
  ['no JSON any more', says('{"ok":true}'), says('It is ok.'), ['shape']],
  [
    'another choice',
    says('{"mood":"good","why":"a"}'),
    says('{"mood":"bad","why":"b"}'),
    ['shape'],
    SCHEMA,
  ],
  [
    'what the schema requires',
    says('{"mood":"good","why":"a"}'),
    says('{"mood":"good"}'),
    ['schema'],
    SCHEMA,
  ],
  [
    'what the schema does not know',
    says('{"mood":"good","why":"a"}'),
    says('{"mood":"so","why":"a"}'),
    ['schema'],
    SCHEMA,
  ],
])('finds %s', ([, before, now, kinds, schema]) => {
  const { differences } = compareBehaviour(before, now, schema)
  expect(differences.map(({ kind }) => kind)).toEqual(kinds)
})

test.for<[string, Behaviour, Behaviour, boolean, JsonObject?]>([
  ['other words', says('It rains.'), says('Rain falls.'), true],
  ['white space', says('It  rains.\n'), says('It rains.'), false],
  [
    'calls in another order',
    calls(weather('Rome'), weather('Oslo')),
    calls(weather('Oslo'), weather('Rome')),
    false,
  ],
  ['arguments in another order', calls(['f', { a: 1, b: 2 }]), calls(['f', { b: 2, a: 1 }]), false],
  [
    'words beside the same call',
    calls(weather('Rome')),
    {
      ...calls(weather('Rome')),
      completion: { ...calls(weather('Rome')).completion, text: 'Let me see.' },
    },
    true,
  ],
  ['another text in a field', says('{"a":"x"}'), says('{"a":"y"}'), true],
  ['another number in a field', says('{"a":0.81}'), says('{"a":0.8}'), true],
  ['a fence around JSON', says('{"a":1}'), says('```json\n{"a":1}\n```'), false],
  ['a longer list', says('["a"]'), says('["a","b"]'), true],
  [
    'a field that the schema lets be missing',
    says('{"mood":"good","why":"a","extra":"x"}'),
    says('{"mood":"good","why":"a"}'),
    true,
    SCHEMA,
  ],
  ['another word for the same end', says('A.'), says('A.', { finishReasons: ['end_turn'] }), false],
  [
    'stop in the place of tool_calls',
    calls(['f', {}]),
    {
      ...calls(['f', {}]),
      completion: { ...calls(['f', {}]).completion, finishReasons: ['STOP'] },
    },
    false,
  ],
  [
    'an apology that is no refusal',
    says('Yes.'),
    says("I'm sorry to hear that. Take a rest."),
    true,
  ],
  ['a turn of phrase', says('Yes.'), says("I can't help but agree."), true],
  [
    'a refusal in other words',
    says('I cannot help with that.'),
    says('I am sorry, but I cannot assist with that.'),
    true,
  ],
])('takes %s for the same behaviour', ([, before, now, isWords, schema]) => {
  expect(compareBehaviour(before, now, schema)).toEqual({ differences: [], isWords })
})

const completions: fc.Arbitrary<Completion> = fc.record({
  text: fc.oneof(fc.string(), fc.json(), fc.constant("Sorry, I can't help you with that.")),
  toolCalls: fc.array(
    fc.record({ id: fc.string(), name: fc.constantFrom('a', 'b'), arguments: fc.jsonValue() }),
    { maxLength: 4 },
  ) as fc.Arbitrary<Completion['toolCalls']>,
  finishReasons: fc.array(fc.constantFrom('stop', 'length', 'STOP', 'tool_use', 'refusal', 'odd')),
})

test('an answer behaves as itself, with whatever ids, and says it in the same words', () => {
  fc.assert(
    fc.property(completions, fc.boolean(), (completion, hasSchema) => {
      const renamed = completion.toolCalls.map((call) => ({ ...call, id: 'other' }))
      const one = { completion, isRefusal: isRefusal(completion) }
      const other = { ...one, completion: { ...completion, toolCalls: renamed } }
      expect(compareBehaviour(one, other, hasSchema ? SCHEMA : undefined)).toEqual({
        differences: [],
        isWords: false,
      })
    }),
  )
})

test('what differs in one direction differs in the other', () => {
  fc.assert(
    fc.property(completions, completions, (one, other) => {
      const differs = (a: Completion, b: Completion): boolean =>
        compareBehaviour(
          { completion: a, isRefusal: isRefusal(a) },
          { completion: b, isRefusal: isRefusal(b) },
        ).differences.length > 0
      // JSON where there was none, and words where there was nothing, are no worse.
      fc.pre(
        !/[[{]/.test(one.text + other.text) && one.text.trim() !== '' && other.text.trim() !== '',
      )
      expect(differs(one, other)).toBe(differs(other, one))
    }),
  )
})
