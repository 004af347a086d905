import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

const REFUSED = ['another exchange names the other', 'checked', 'one named twice']
const PASSED = ['the same values', 'the values of this run']

scenario('redact', (made) => {
  test('debug', async () => {
    const { writeFileSync } = await import('node:fs')
    for (const run of ['record', 'replay', 'changed'] as const)
      writeFileSync(
        `/tmp/redact-${run}.json`,
        JSON.stringify(
          {
            tests: made(run).tests,
            after: made(run).after,
            found: await made(run).findings().catch(String),
          },
          null,
          1,
        ),
      )
    expect(1).toBe(1)
  })

  test.for([''] as const)('no value is stored, and all is safe to commit%s', async (how) => {
    const { after, cassettes, titles } = made(`record${how}`)
    expect(made(`record${how}`).titles('failed')).toEqual([])
    expect(cassettes.length).toBeGreaterThan(60)
    expect(Object.values(after).join('')).not.toMatch(/C-\d{6}|K-\d{4}/)
    expect(await made(`record${how}`).findings()).toEqual([])
    expect(titles).toBeDefined()
  })

  test.for([''] as const)('with the same values all is replayed%s', (how) => {
    expect(made(`replay${how}`).titles('failed')).toEqual([])
  })

  test.for([''] as const)(
    'other values may take their places, and no value another one%s',
    (how) => {
      const ends = (state: 'passed' | 'failed'): Record<string, string[]> => {
        const byName: Record<string, string[]> = {}
        for (const title of made(`changed${how}`).titles(state)) {
          const [name = '', what = ''] = title.split(' > ')
          ;(byName[name] ??= []).push(what)
        }
        return byName
      }
      const [passed, failed] = [ends('passed'), ends('failed')]
      for (const name of Object.keys(passed)) expect([name, passed[name]]).toEqual([name, PASSED])
      for (const name of Object.keys(passed)) expect([name, failed[name]]).toEqual([name, REFUSED])
    },
  )
})
