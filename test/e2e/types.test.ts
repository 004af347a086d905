import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { isNight } from '../effort.ts'
import { needs } from '../needs.ts'
import { neededBy, RELEASES } from './releases.ts'
import { VitestProject } from './vitest-project.ts'

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const NEWEST = at('node_modules/typescript/bin/tsc')

/** The oldest release, the last that is written in JavaScript, and the newest. */
const COMPILERS = [
  ['5.4', at('versions/node_modules/typescript-5.4/lib/tsc.js')],
  ['5.9', at('versions/node_modules/typescript-5.9/lib/tsc.js')],
  ['newest', NEWEST],
] as const

/** The ways to find modules. TypeScript 7 no longer has the oldest. */
const resolutionsOf = (compiler: string): string[] => [
  'node16',
  'nodenext',
  'bundler',
  ...(compiler === 'newest' ? [] : ['node10']),
]

/** For each change, the oldest with the oldest release of Vitest, and the newest with the newest. */
function compilersOf(release: string): ReadonlyArray<(typeof COMPILERS)[number]> {
  if (isNight) return COMPILERS
  return [release === [...RELEASES.keys()][0] ? COMPILERS[0] : COMPILERS[2]]
}

/** What brings the types to a test, in the order in which TypeScript reads it. */
const ORDERS = [
  ['vitest.config.ts', 'context.test.ts', 'named.test.ts'],
  ['context.test.ts', 'vitest.config.ts', 'named.test.ts'],
  ['line.d.ts', 'context.test.ts'],
  ['context.test.ts', 'line.d.ts'],
]

/** The errors that TypeScript names in a project, but those in the types of other packages. */
function typeErrors(
  project: VitestProject,
  compiler: string,
  moduleResolution: string,
  files: readonly string[],
  skipLibCheck = true,
): Promise<string[]> {
  const module = /^node\w*(?:16|next)$/.test(moduleResolution) ? moduleResolution : 'esnext'
  const compilerOptions = {
    module,
    moduleResolution,
    skipLibCheck,
    noEmit: true,
    strict: true,
    target: 'es2022',
    types: ['node'],
  }
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      [compiler, '--pretty', 'false'],
      { cwd: project.dir },
      (_, out, said) =>
        resolve(
          (out + said)
            .split('\n')
            .filter(
              (line) => line !== '' && !/^\s|^\S*node_modules\/(?!vitest-cassette)/.test(line),
            ),
        ),
    ),
  )
}

for (const [release, vitest] of RELEASES)
  describe(`Vitest ${release}`, needs(...neededBy(release)), () => {
    for (const [name, compiler] of compilersOf(release))
      describe(`TypeScript ${name}`, name === 'newest' ? {} : needs('versions'), () => {
        test.for(resolutionsOf(name))(
          'a test, its cassette and all matchers are typed under %s',
          { timeout: 600_000 },
          async (resolution) => {
            const project = new VitestProject('types', {}, vitest)
            // Each order once with each release of Vitest.
            const orders = resolution === 'bundler' ? ORDERS : ORDERS.slice(0, 1)
            for (const files of orders)
              expect(await typeErrors(project, compiler, resolution, files), files.join()).toEqual(
                [],
              )
          },
        )
      })

    test('the types of this package have no error of their own', { timeout: 600_000 }, async () => {
      const project = new VitestProject('types', {}, vitest)
      const errors = await typeErrors(project, NEWEST, 'nodenext', ORDERS[0]!, false)
      expect(errors).toEqual([])
    })
  })
