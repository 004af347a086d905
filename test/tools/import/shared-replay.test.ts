import { expect, test } from 'vitest'
import { kindOfRequest } from '../../../src/tools/import/address.ts'
import { FOREIGN, needs } from '../../needs.ts'
import { readWhole } from './foreign-folder.ts'
import { replayed, type Replayed } from './replayed.ts'
import { FOLDERS } from './shared-folders.ts'

test.for(Object.keys(FOLDERS))(
  'every exchange of %s whose request is known replays the recorded bytes to it, and not to a changed one',
  needs('shared'),
  (folder) => {
    const { recordings } = readWhole([folder], {
      cwd: FOREIGN,
      keep: (request) => (kindOfRequest(request).kind === 'none' ? 'a side request' : true),
    })
    const all = recordings.flatMap((recording) => replayed(recording))
    const count = (outcome: Replayed['outcome']): number =>
      all.filter((one) => one.outcome === outcome).length
    if (process.env.FIGURES) {
      const outcomes = new Set(all.map(({ outcome }) => outcome))
      const counted = Array.from(outcomes, (outcome) => `${outcome} ${count(outcome)}`)
      console.log(`${folder}: ${recordings.length} recordings, ${counted.join(', ')}`)
    }
    const wrong = ['missed', 'other bytes', 'loose']
    expect(all.filter(({ outcome }) => wrong.includes(outcome))).toEqual([])
    // Few tools and providers put white space between the tokens as no layout does.
    expect(count('respaced')).toBeLessThanOrEqual(4)
    const right = ['replayed', 'respaced', 'replaced', 'unasked', 'secret'] as const
    expect(right.reduce((sum, outcome) => sum + count(outcome), 0)).toBe(
      recordings.reduce((sum, { exchanges }) => sum + exchanges.length, 0),
    )
  },
)
