import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

const NEVER_HAPPENS = 'an application reads a stream again that was cut'

scenario('faults', (made) => {
  const total = (run: 'record' | 'replay', figure: 'recorded' | 'replayed'): number =>
    made(run).tests.reduce((sum, { cassette }) => sum + cassette[figure]!, 0)

  test('recording leaves faults out, and says so', () => {
    expect(made('record').titles('failed')).toEqual([])
    expect(made('record').warnings("'429 twice'")).toHaveLength(1)
    expect(total('record', 'recorded')).toBe(6)
  })

  test('real SDKs try again what went wrong in replay, and get what was recorded', () => {
    expect(made('replay').titles('failed')).toEqual([])
    expect(made('replay').titles('passed')).toHaveLength(5)
    expect(total('replay', 'replayed')).toBe(5)
  })

  test('a fault that never happens fails its test', async () => {
    expect(made('changed').titles('failed')).toEqual([NEVER_HAPPENS])
    await expect(made('changed').text(NEVER_HAPPENS)).toMatchFileSnapshot(
      'golden/faults/never-happens.txt',
    )
  })
})
