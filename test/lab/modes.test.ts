import { expect, test } from 'vitest'
import { made as madeOf, scenario } from './lab.ts'

const ONE = 'asks-one-question'
const TWO = 'asks-two-questions'

scenario('modes', (made) => {
  test('recording makes one cassette for each test that asks, and none for the others', () => {
    expect(made('record').titles('failed')).toEqual([])
    expect(Object.keys(made('record').after)).toEqual([
      expect.stringMatching(/^questions\.test\.ts\/asks-one-question-\w+\.json$/),
      expect.stringMatching(/^questions\.test\.ts\/asks-two-questions-\w+\.json$/),
    ])
  })

  test('replay is the default: it touches no file', () => {
    expect(made('replay').titles('passed')).toHaveLength(3)
    expect(made('replay').after).toEqual(made('record').after)
    expect(made('replay').touched).toEqual([])
  })

  test('recording over an old cassette leaves the exchanges of this run alone', () => {
    expect(made('record again').titles('failed')).toEqual([])
    expect(made('record again').prompts(TWO)).toEqual(['Who are you in this mode?'])
    expect(made('record again').prompts(ONE)).toEqual(['How do you do?'])
    for (const { cassette } of made('record again').tests) expect(cassette.unused ?? 0).toBe(0)
  })

  test('RECORD=new keeps known answers byte for byte, records the missing, and touches no other cassette', () => {
    const [record, renewed] = [made('record'), made('new')]
    expect(renewed.titles('failed')).toEqual([])
    expect(renewed.prompts(ONE)).toEqual(['How are you in this mode?', 'Sure of this mode?'])
    const [path] = renewed.touched
    expect(renewed.touched).toEqual([expect.stringContaining(ONE)])
    expect(firstExchange(renewed.after[path!]!)).toBe(firstExchange(record.after[path!]!))
    for (const asked of [
      'How are you in this mode?',
      'Who are you in this mode?',
      'And where in this mode?',
      'Sure of this mode?',
    ])
      expect([asked, times('new', asked)]).toEqual([asked, asked === 'Sure of this mode?' ? 1 : 0])
  })

  test('RECORD=off asks the provider and touches no file, whatever is recorded', () => {
    expect(made('off').titles('failed')).toEqual([])
    expect([times('off', 'numbered off'), times('off', 'Who are you in this mode?')]).toEqual([
      1, 1,
    ])
    expect(made('off').after).toEqual(made('record').after)
    expect(made('off').touched).toEqual([])
  })

  test.for([
    ['without options', 'modes-empty'],
    ['with the option mode: new, which means replay there', 'modes-new'],
  ])('on CI a request without a cassette fails with the command that records, %s', ([, name]) => {
    const ci = madeOf(name!, 'ci')
    expect(ci.titles('failed')).toEqual(['asks one question', 'asks two questions'])
    for (const title of ci.titles('failed')) expect(ci.code(title)).toBe('miss')
    expect(ci.after).toEqual({})
    expect(ci.text('asks one')).toContain('npx vitest-cassette record ')
  })

  /** How often a question came to the provider in a run. */
  const times = (run: 'new' | 'off', question: string): number =>
    made(run).asked.filter(({ body }) => body.includes(`"${question}"`)).length
})

/** The lines of the first exchange as they stand in the file, without what follows its last brace. */
function firstExchange(text: string): string {
  const [, exchange] = /\n( {4}\{\n[^]*?\n {4}\}),?\n/.exec(text) ?? []
  if (!exchange) throw new Error('The cassette holds no exchange.')
  return exchange
}
