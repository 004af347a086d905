import { expect, test } from 'vitest'
import type { TestModule, Vitest } from 'vitest/node'
import {
  plannedFiles,
  whyNotWhole,
  whyPartial,
} from '../../../../src/runners/vitest/reporters/partial-run.ts'
import { expectGolden } from '../../../golden.ts'

interface Chosen {
  names?: RegExp
  tags?: string[]
  projects?: string[]
  /** The file that contains `.only`. */
  only?: string
}

/** Why a run of these files is partial, and why it is not whole, in a project of a.test.ts and b.test.ts. */
async function judged(ran: string[], { names, tags, projects = [], only }: Chosen = {}) {
  const project = { name: 'unit', config: { root: '/app' } }
  const vitest = {
    config: { tagsFilter: tags, project: projects },
    getGlobalTestNamePattern: () => names,
    globTestSpecifications: async () =>
      ['a', 'b'].map((name) => ({ project, moduleId: `/app/${name}.test.ts` })),
  } as unknown as Vitest
  const modules = ran.map((file) => ({
    project,
    relativeModuleId: file,
    task: { containsOnly: file === only },
  })) as unknown as TestModule[]
  const planned = await plannedFiles(vitest)
  return [whyPartial(vitest, modules, planned), whyNotWhole(vitest, modules, planned)]
}

const ALL = ['a.test.ts', 'b.test.ts']

test('a run of all files is whole', async () => {
  expect(await judged(ALL)).toEqual([undefined, undefined])
})

test.for([
  ['a file did not run', ['a.test.ts'], {}, 'b.test.ts'],
  ['another ran in its place', ['a.test.ts', 'c.test.ts'], {}, 'b.test.ts'],
  ['a file contains .only', ALL, { only: 'b.test.ts' }, 'b.test.ts contains .only'],
  ['tags were chosen', ALL, { tags: ['slow'] }, 'tag'],
] as Array<[string, string[], Chosen, string]>)(
  'where %s, it is neither whole nor complete',
  async ([, ran, chosen, what]) => {
    const [partial, notWhole] = await judged(ran, chosen)
    expect(partial).toContain(what)
    expect(notWhole).toBe(partial)
  },
)

test('names of tests and projects make it partial; a command can repeat them', async () => {
  expect(await judged(ALL, { names: /asks/ })).toEqual([expect.any(String), undefined])
  expect(await judged(ALL, { projects: ['unit'] })).toEqual([expect.any(String), undefined])
})

test('each reason for a partial run is one line', async () => {
  const reasons = [
    await judged(['a.test.ts']),
    await judged(ALL, { only: 'b.test.ts' }),
    await judged(ALL, { tags: ['slow'] }),
    await judged(ALL, { names: /asks/ }),
    await judged(ALL, { projects: ['unit'] }),
  ]
  await expectGolden(reasons.map(([partial]) => partial).join('\n'), 'reasons')
})
