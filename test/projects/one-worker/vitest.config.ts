import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files in the order of their names, so that it is known which of them goes on in which. */
class ByName extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1))
  }
}

export default defineConfig({
  plugins: [cassettes()],
  test: {
    isolate: false,
    maxWorkers: 1,
    pool: process.env.POOL === 'threads' ? 'threads' : 'forks',
    sequence: { sequencer: ByName },
  },
})
