import { afterAll, expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { pools } from './pools.ts'
import { neededBy, RELEASES } from './releases.ts'
import { VitestProject } from './vitest-project.ts'

const KNOWN = `sk-${'proj'}-Zq81mVx0Yt3LwPk7Rb5NcD2e`

/** What the project sets and makes itself, also in base64. */
const SECRETS = [KNOWN, 'zK4qLm8vT1yRw0Xc6PbN', 'Qm9xVb2nLs7KtRf4HcYd8WjZ']

/** No piece of this length may stand anywhere. */
const PIECE = 12

function leaksIn(text: string): string[] {
  const leaks: string[] = []
  for (const secret of SECRETS)
    for (let from = 0; from + PIECE <= secret.length; from++) {
      const at = text.indexOf(secret.slice(from, from + PIECE))
      if (at < 0) continue
      leaks.push(text.slice(Math.max(0, at - 100), at + 60))
      break
    }
  return leaks
}

const CASES: Array<[release: string, pool: string]> = [
  ['5', 'forks'],
  ['5', 'threads'],
  ['5', 'vmForks'],
  ['5', 'vmThreads'],
  ['4.1', 'forks'],
  ['4.0', 'threads'],
  ['4.0', 'vmForks'],
  ['3.2', 'forks'],
  ['3.2', 'vmThreads'],
]

const REPORTERS = ['default', 'verbose', 'tap', 'github-actions', 'json', 'junit', 'blob']

const made: VitestProject[] = []

function projectOn(release: string): VitestProject {
  const project = new VitestProject(
    'shown-secrets',
    { OPENAI_API_KEY: KNOWN },
    RELEASES.get(release),
  )
  made.push(project)
  return project
}

afterAll(() => {
  for (const project of made) project.remove('.')
})

const tried = CASES.filter(([release, pool]) => RELEASES.has(release) && pools.includes(pool))

for (const [release, pool] of tried)
  test(
    `Vitest ${release}: no error and no annotation shows what is known (${pool})`,
    needs(...neededBy(release)),
    async () => {
      const project = projectOn(release)
      const { output, exitCode } = await project.run(
        [
          'errors',
          'import',
          `--pool=${pool}`,
          ...REPORTERS.map((name) => `--reporter=${name}`),
          '--outputFile.json=out/run.json',
          '--outputFile.junit=out/run.xml',
          '--outputFile.blob=out/blob.json',
        ],
        { FORCE_COLOR: '1' },
      )
      expect(exitCode).toBe(1)
      const files = project.files('out').map((file) => [file, project.read(`out/${file}`)])
      const leaks = [['output', output], ...files].map(([name, text]) => [name, leaksIn(text!)])
      expect(Object.fromEntries(leaks.filter(([, found]) => found!.length > 0))).toEqual({})
      for (const what of [
        'inner',
        'second',
        'beforeAll',
        'afterAll',
        'afterEach',
        'rejected',
        'uncaught',
      ])
        expect(output, what).toContain(
          `${what} <REDACTED:OPENAI_API_KEY> and <REDACTED:SHOP_PASSWORD>`,
        )
      expect(output).toContain('while importing <REDACTED:OPENAI_API_KEY>')
      expect(output).toContain('a title with <REDACTED:OPENAI_API_KEY>')
      expect(output).toContain('seen: RangeError')
    },
  )

test('the error of a global set-up shows nothing of what is known', async () => {
  const { output } = await projectOn('5').run(['errors'], { BREAKS: '1' })
  expect(output).toContain('global <REDACTED:OPENAI_API_KEY>')
  expect(leaksIn(output)).toEqual([])
})
