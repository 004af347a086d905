import type { Plugin } from 'vitest/config'
import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node'

const inTurn = new WeakSet<TestSequencerConstructor>([BaseSequencer])

/**
 * Lets the projects run one after the other where files are shuffled, as they do where they are not. One without
 * isolation keeps its processes for as long as its own files follow each other, and the short files of the last project
 * fill the time until the longest of the others end.
 */
export const projectsInTurn: Plugin = {
  name: 'projects-in-turn',
  // Each project calls it.
  configureVitest({ vitest }) {
    const { sequence } = vitest.config
    // Vitest says with which seed it shuffles files alone, as long as it does that itself.
    if (!sequence.shuffle || inTurn.has(sequence.sequencer)) return
    sequence.sequencer = byProject(sequence.sequencer)
    inTurn.add(sequence.sequencer)
  },
}

function byProject(Sequencer: TestSequencerConstructor): TestSequencerConstructor {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await new Sequencer(this.ctx).sort(files)
      return sorted.toSorted((a, b) => compare(a.project.name, b.project.name))
    }
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
