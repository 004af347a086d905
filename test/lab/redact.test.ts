import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

const REFUSED = ['another exchange names the other', 'checked', 'one named twice']
const PASSED = ['the same values', 'the values of this run']

scenario('redact', (made) => {
  test('no value is stored, over whatever it was sent, and all is safe to commit', async () => {
    const { after, cassettes } = made('record')
    expect(made('record').titles('failed')).toEqual([])
    expect(cassettes.length).toBeGreaterThanOrEqual(70)
    expect(Object.values(after).join('')).not.toMatch(/C-\d{6}|K-\d{4}/)
    expect(await made('record').findings()).toEqual([])
  })

  test('with the same values all is replayed', () => {
    expect(made('replay').titles('failed')).toEqual([])
  })

  test('other values may take their places, and no value another one', () => {
    const ends = (state: 'passed' | 'failed'): Record<string, string[]> => {
      const byName: Record<string, string[]> = {}
      for (const title of made('changed').titles(state)) {
        const [name = '', what = ''] = title.split(' > ')
        ;(byName[name] ??= []).push(what)
      }
      return byName
    }
    const [passed, failed] = [ends('passed'), ends('failed')]
    const names = Object.keys(passed)
    expect(names.length).toBeGreaterThanOrEqual(14)
    expect(passed).toEqual(Object.fromEntries(names.map((name) => [name, PASSED])))
    expect(failed).toEqual(Object.fromEntries(names.map((name) => [name, REFUSED])))
  })
})
