import type { TestCase, TestModule, TestSuite } from 'vitest/node'
import { resolve } from 'node:path'
import { isWithin, pathFrom } from '../../../config/paths.ts'
import { type LivingTests, TestFiles } from '../../../cassette/orphans.ts'
import { cassettePaths } from '../../../cassette/paths.ts'
import { pathOfModule } from '../versions/run.ts'
import { sameTitles, withOrdinals } from '../../../cassette/test-place.ts'

/**
 * The tests of a run that use one cassette folder.
 *
 * @param modules the test files that ran, of all projects
 * @param roots the roots of the projects that share the folder
 * @param dir the folder
 */
export function livingTests(
  modules: readonly TestModule[],
  roots: ReadonlySet<string>,
  dir: string,
): LivingTests {
  const paths = modules
    .filter(({ project }) => roots.has(project.config.root))
    // A type check reads titles from the source, where those of `test.each` are not spelled out.
    .filter((module) => !('typecheck' in module.meta()))
    .flatMap((module) => pathsIn(module, dir))
  // Projects that are no part of this run can share a folder that lies outside of a root.
  const isOurs = Array.from(roots).every((root) => isWithin(root, dir))
  const files = Array.from(roots, (root) => new TestFiles(root))
  return {
    paths: new Set(paths),
    hasTestFile: (path) => !isOurs || files.some((ofRoot) => ofRoot.has(path)),
  }
}

/** The cassettes of a file and of all its tests; the tree is whole under `-t` and `only` too. */
function pathsIn(module: TestModule, dir: string): string[] {
  const file = pathOfModule(module)
  const { movedCassettes = {} } = module.meta()
  const tests = Array.from(module.children.allTests(), (test) => {
    const { cassette: path } = test.meta().cassette ?? {}
    const used = path === undefined ? undefined : (movedCassettes[path] ?? path)
    return { file, titles: titlesOf(test), used }
  })
  const groups = Map.groupBy(withOrdinals(tests), ({ titles }) => sameTitles(titles))
  const ofTests = [...groups.values()].flatMap((group) => {
    // Of tests with the same titles, each has found its cassette by its first request.
    const used = group.flatMap(({ used }) =>
      group.length > 1 && used !== undefined ? pathFrom(dir, resolve(used)) : [],
    )
    return used.length === group.length ? used : [...used, ...group.flatMap(cassettePaths)]
  })
  return [...cassettePaths({ file, titles: [], ordinal: 0 }), ...ofTests]
}

function titlesOf(test: TestCase): string[] {
  const titles = [test.name]
  let parent: TestSuite | TestModule = test.parent
  for (; parent.type === 'suite'; parent = parent.parent) titles.unshift(parent.name)
  return titles
}
