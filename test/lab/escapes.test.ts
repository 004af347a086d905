import { expect, test } from 'vitest'
import { type Made, made as madeOf, scenario } from './lab.ts'

/** The requests of children and threads among what arrived. */
const models = ({ arrived }: Made): number =>
  arrived.filter(({ url }) => url === '/v1/models').length

scenario('escapes-awaited', (made) => {
  test('while recording, what a child asks that its test waits for is sent, and the test fails, as it will in replay', async () => {
    const record = made('record')
    expect(record.titles('failed')).toEqual(['child of a child', 'child process, awaited'])
    for (const title of record.titles('failed')) expect(record.code(title)).toBe('refused')
    expect(models(record)).toBeGreaterThanOrEqual(2)
    await expect(record.text('child process, awaited')).toMatchFileSnapshot(
      'golden/escapes/awaited.txt',
    )
  })

  test('a host of allowHosts is asked by a child that its test waits for while recording', () => {
    const allowed = madeOf('escapes-allowed', 'record')
    expect(allowed.titles('failed')).toEqual([])
    expect(allowed.titles('passed')).toEqual(['child of a child', 'child process, awaited'])
  })

  test('a host of allowHosts is let out in replay, by every transport', () => {
    const allowed = madeOf('escapes-allowed', 'replay')
    expect(allowed.titles('failed')).toEqual([])
    expect(allowed.titles('passed')).toHaveLength(7)
    expect(models(allowed)).toBeGreaterThanOrEqual(6)
  })

  test('RECORD=off guards nothing', () => {
    const off = made('off')
    expect(off.titles('failed')).toEqual([])
    expect(off.titles('passed')).toHaveLength(7)
    expect(models(off)).toBeGreaterThanOrEqual(6)
  })
})
