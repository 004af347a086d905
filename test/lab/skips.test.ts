import { expect, test } from 'vitest'
import { scenario, whole } from './lab.ts'

scenario('skips', (made) => {
  const changed = () => made('changed')
  const ofFiles = (file: string) =>
    whole('changed').ofFiles.filter((one) => one.scenario === 'skips' && one.file === file)

  test('a test that misses and skips fails, wherever it skips', () => {
    const notFailed = changed().tests.filter(({ state }) => state !== 'failed')
    expect(notFailed.map(({ title }) => title)).toEqual([
      'around > skips when its fixture ends',
      'runs if the provider is available',
    ])
    for (const { errors, title } of changed().tests.filter(({ state }) => state === 'failed'))
      expect([title, errors[0]!.code]).toEqual([title, 'miss'])
  })

  test('a test that skips when its verdict is out fails its file', () => {
    const [error, ...others] = ofFiles('skips.test.ts')
    expect(error!.code).toBe('miss')
    expect(error!.text).toContain('skips.test.ts > around > skips when its fixture ends')
    expect(others).toEqual([])
  })

  test('a file that misses while it is imported fails, where all of its tests are skipped too', () => {
    expect(ofFiles('suite.test.ts').map(({ code }) => code)).toEqual(['miss'])
  })

  test('a skip without a miss stays a skip', () => {
    expect(made('replay').titles('skipped')).toEqual(['skips'])
    expect(made('replay').titles('failed')).toEqual([])
    expect(whole('replay').ofFiles.filter(({ scenario: one }) => one === 'skips')).toEqual([])
  })
})
