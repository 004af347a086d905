import { expect, test } from 'vitest'
import { scenario, whole } from './lab.ts'

scenario('params-proposed', (made) => {
  test('a proposal is stored in the cassette, apart from the parameters', () => {
    for (const run of ['record', 'record again'] as const) {
      const { proposed_params: proposed, params } = made(run).cassette('order')
      expect(proposed).toEqual({ orderId: 'B-4711' })
      expect(params).toBeUndefined()
      expect(made(run).titles('passed')).toEqual(['broken', 'declared', 'order'])
      expect(made(run).cassettes).toHaveLength(3)
    }
  })

  test('a proposal that fails is a warning, and the test is recorded without one', () => {
    expect(whole('record').output).toMatch(/^\[vitest-cassette\].*No model/m)
    expect(made('record').titles('failed')).toEqual([])
    expect(made('record').cassette('broken')).not.toHaveProperty('proposed_params')
  })

  test('a proposal has no effect before it is accepted', () => {
    expect(made('replay').titles('passed')).toEqual(['broken', 'declared', 'order'])
    expect(made('changed').titles('failed')).toEqual(['order'])
    expect(made('changed').code('order')).toBe('miss')
  })

  test('an accepted proposal makes the cassette that a declaration makes, which serves other values', async () => {
    const record = made('record')
    const listed = await record.cli('params')
    expect(listed.code).toBe(0)
    await expect(listed.out).toMatchFileSnapshot('golden/params-proposed/listed.txt')
    const accepted = await record.cli('params', '--accept', 'order')
    expect(accepted.code).toBe(0)
    await expect(accepted.out).toMatchFileSnapshot('golden/params-proposed/accepted.txt')
    expect((await record.cli('verify')).code).toBe(0)

    const path = record.cassettes.find((one) => one.includes('/order'))!
    const own = JSON.parse(record.read(`__recordings__/${path}`))
    const declared = record.cassette('declared')
    expect(own.params).toEqual(declared.params)
    expect(withoutTimes(own)).toEqual(withoutTimes(declared))
    expect(made('changed').titles('passed')).toEqual(['broken', 'declared'])
  })
})

function withoutTimes({ exchanges }: any): unknown {
  return JSON.parse(
    JSON.stringify(exchanges, (key, value: unknown) => (/_ms$|_at$/.test(key) ? 0 : value)),
  )
}
