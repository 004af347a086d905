import { posix } from 'node:path'

/**
 * Pairs tests without a cassette with cassettes without a test, all of which begin with one prompt: those of the same
 * titles, as where a file was renamed, and then the only one that is left of each. What is ambiguous stays unpaired.
 *
 * @param tests the paths of the cassettes that the tests look for
 * @param orphans the paths of the cassettes
 */
export function pairRenamed(
  tests: readonly string[],
  orphans: readonly string[],
): Array<{ from: string; to: string }> {
  const byTitles = Map.groupBy(orphans, nameOf)
  const pairs = [...Map.groupBy(tests, nameOf)].flatMap(([name, [to, ...others]]) => {
    const [from, ...more] = byTitles.get(name) ?? []
    return from !== undefined && others.length + more.length === 0 ? [{ from, to: to! }] : []
  })
  const [to, ...moreTests] = tests.filter((test) => pairs.every((pair) => pair.to !== test))
  const [from, ...moreOrphans] = orphans.filter((one) => pairs.every((pair) => pair.from !== one))
  const isOnly = moreTests.length + moreOrphans.length === 0
  return to !== undefined && from !== undefined && isOnly ? [...pairs, { from, to }] : pairs
}

/** The file name of a cassette holds a hash of the titles of its test, whatever the name of the test file. */
function nameOf(path: string): string {
  return posix.basename(path)
}
