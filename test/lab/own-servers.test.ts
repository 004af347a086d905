import { expect, test } from 'vitest'
import { made as madeOf, scenario } from './lab.ts'

const GATEWAY = 10
const FAKES = 18

scenario('own-servers', (made) => {
  test('a gateway under test is asked itself while it is recorded, and the cassette has what it asks', () => {
    const record = made('record')
    expect(record.titles('failed')).toEqual([])
    const cassettes = record.cassettes.filter((path) => path.startsWith('gateway.test.ts/'))
    expect(cassettes).toHaveLength(GATEWAY)
    for (const path of cassettes) {
      const [{ request }, ...others] = record.json(path).exchanges
      expect(JSON.stringify(request)).toContain('Be brief.')
      expect(others).toEqual([])
    }
  })

  test.for(['replay', 'threads'] as const)(
    'a gateway under test, and the fakes of a suite, are asked themselves in the run "%s"',
    (run) => {
      expect(made(run).titles('failed')).toEqual([])
      expect(made(run).titles('passed')).toHaveLength(GATEWAY + FAKES)
    },
  )

  test.for([
    ['replayed', 'ci'],
    ['recorded where recordings are missing', 'new'],
  ] as const)('a broken gateway fails its tests when they are %s', ([, run]) => {
    const failed = made(run).tests.filter(({ state }) => state === 'failed')
    expect(failed.map(({ file }) => file)).toEqual(Array(GATEWAY).fill('gateway.test.ts'))
    const reasons = failed.flatMap(({ errors }) => errors.map(({ text }) => text))
    expect(reasons.join('\n')).toContain('The gateway is broken')
  })

  test('a gateway whose instructions change fails its tests, and the instructions are all that is named', () => {
    const changed = made('changed')
    const failed = changed.titles('failed')
    expect(failed).toHaveLength(GATEWAY)
    const ofTests = failed.filter((title) => title.startsWith('in this process > '))
    expect(ofTests).toHaveLength(GATEWAY - 1)
    for (const title of ofTests) {
      expect([title, changed.code(title)]).toEqual([title, 'miss'])
      expect([title, ...changed.changes(title)]).toEqual([
        title,
        { place: 'message 1 system', before: 'brief.', after: 'very brief.' },
      ])
    }
    // A process that a hook of the file started asks for the file.
    expect(changed.ofFiles).toMatchObject([{ file: 'gateway.test.ts', code: 'miss' }])
  })

  test.for([
    ['forks', 'own-servers'],
    ['threads', 'own-servers-threads'],
  ])('the fakes of a suite are asked themselves and not recorded in the pool %s', ([, name]) => {
    const { tests, cassettes } = madeOf(name!, 'record')
    const states = tests.filter(({ file }) => file === 'fakes.test.ts').map(({ state }) => state)
    expect(states).toEqual(Array(FAKES).fill('passed'))
    expect(cassettes.filter((path) => path.startsWith('fakes.test.ts/'))).toEqual([])
  })

  test('the fakes of a suite have no cassette after a replay', () => {
    for (const run of ['replay', 'threads'] as const)
      expect(made(run).cassettes).toEqual(made('record').cassettes)
  })
})
