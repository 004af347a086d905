import { expect, test } from 'vitest'
import type { TestModule, Vitest } from 'vitest/node'
import {
  plannedFiles,
  whyNotWhole,
  whyPartial,
} from '../../../../src/runners/vitest/reporters/partial-run.ts'

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
  ['a file did not run', ['a.test.ts'], {}, 'b.test.ts did not run'],
  ['another ran in its place', ['a.test.ts', 'c.test.ts'], {}, 'b.test.ts did not run'],
  ['a file contains .only', ALL, { only: 'b.test.ts' }, 'b.test.ts contains .only'],
  ['tags were chosen', ALL, { tags: ['slow'] }, 'tests were chosen by tag'],
] as Array<[string, string[], Chosen, string]>)(
  'where %s, it is neither whole nor complete',
  async ([, ran, chosen, why]) => {
    expect(await judged(ran, chosen)).toEqual([why, why])
  },
)

test('names of tests and projects make it partial; a command can repeat them', async () => {
  expect(await judged(ALL, { names: /asks/ })).toEqual(['tests were chosen by name', undefined])
  expect(await judged(ALL, { projects: ['unit'] })).toEqual([
    'projects were chosen by name',
    undefined,
  ])
})
