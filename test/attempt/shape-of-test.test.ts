import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differingOptions } from '../../src/attempt/differing-options.ts'
import { shapeOfTest } from '../../src/attempt/closing/shape-of-test.ts'
import { isVolatileName } from '../../src/config/volatile-rule.ts'
import { resolveConfig } from '../../src/config/resolved-config.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'

/** Texts that nothing of ours contains. */
const marker = fc.stringMatching(/^zq[A-Za-z0-9@._/ -]{6,30}qz$/)

test('the shape of a test has no text, name or key of its requests', () => {
  fc.assert(
    fc.property(fc.array(marker, { minLength: 12, maxLength: 12 }), (planted) => {
      const [system, said, model, tool, about, property, key, value, role, name, edited, title] =
        planted as [string, ...string[]] as string[]
      const more = (text: string): JsonObject => ({
        model: `${model}${text}`,
        [key!]: { [property!]: [value!, text] },
        metadata: { [key!]: value! },
        messages: [
          { role: 'system', content: system! },
          { role: role!, content: `${said} ${text}`, name: name! },
        ],
        tools: [
          {
            type: 'function',
            function: {
              name: tool!,
              description: `${about} ${text}`,
              parameters: { type: 'object', properties: { [property!]: { type: 'string' } } },
            },
          },
        ],
      })
      const session = openExample(recorded([question('', more('one')), 'x']), {
        redact: [new RegExp(name!)],
        hosts: [`${property!.length}.example.com`],
      })
      session.test.id = `${title} > ${said}`
      session.answer(question('', more(edited!)), { order: 1 })
      const shape = shapeOfTest(session, 'miss')
      const text = JSON.stringify(shape)
      expect(shape.misses[0]!.closest!.changes.length).toBeGreaterThan(3)
      for (const one of planted)
        for (const word of one.split(/[\s./@]+/).filter(({ length }) => length > 4))
          expect(text).not.toContain(word)
    }),
  )
})

test('where a text changed, its sizes say how, and equal contents have one digest', () => {
  const session = openExample(recorded([question('one\ntwo'), 'x']))
  session.answer(question('one\ntwo!'), { order: 1 })
  session.answer(question('one\ntwo?', { temperature: 0.5 }), { order: 2 })
  const { misses, requests, recorded: cassette } = shapeOfTest(session, 'miss')
  expect(requests).toEqual({ 'openai-chat by HTTP': 2 })
  expect(cassette).toEqual({ exchanges: 1, played: 0 })
  const [first, second] = misses.map(({ closest }) => closest!.changes)
  expect(first).toMatchObject([
    {
      kind: 'edited',
      place: 'message 1 → 1, user, part 1 of 1, text',
      before: { type: 'text', characters: 7, lines: 2 },
      after: { type: 'text', characters: 8, lines: 2 },
    },
  ])
  expect(second!.map(({ place }) => place).toSorted()).toEqual([
    'field temperature',
    'message 1 → 1, user, part 1 of 1, text',
  ])
  const befores = [first, second].map((all) => all!.find(({ before }) => before)!.before!.digest)
  expect(befores[0]).toBe(befores[1])
})

test('options that differ are named, and only words of ours are values', () => {
  const config = resolveConfig(
    {
      dir: 'private',
      hosts: ['llm.private.example'],
      redact: [/private/],
      volatile: ['uuid', '$.private', /private/],
      repeats: 'last',
      maxAge: '90 days',
      prices: { private: { input: 1, output: 1 } },
      whyInvalid: () => 'private',
    },
    { ci: false, recordInCi: false },
  )
  expect(isVolatileName('uuid')).toBe(true)
  expect(differingOptions(config)).toEqual({
    repeats: '"last"',
    maxAge: '90',
    dir: 'set',
    hosts: '1 entry',
    redact: '1 entry',
    prices: '1 entry',
    whyInvalid: 'set',
    volatile: 'uuid, 2 rules',
  })
  expect(differingOptions(resolveConfig({}, { ci: true, recordInCi: false }))).toEqual({})
})
