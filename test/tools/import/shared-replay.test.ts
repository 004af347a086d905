import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { kindOfRequest } from '../../../src/tools/import/address.ts'
import { readWhole } from './foreign-folder.ts'
import { replayed, type Replayed } from './replayed.ts'

/** Real files of other tools. They are no part of this project. */
const SHARED = fileURLToPath(new URL('../../../../shared/foreign', import.meta.url))
const FOLDERS = existsSync(SHARED)
  ? readdirSync(SHARED, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(SHARED, entry.name)))
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('traces-') && !name.startsWith('other-'))
  : []

test.skipIf(FOLDERS.length === 0).for(FOLDERS)(
  'every exchange of %s whose request is known replays the recorded bytes to it, and not to a changed one',
  (folder) => {
    const { recordings } = readWhole([folder], {
      cwd: SHARED,
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
    expect(count('replayed') + count('replaced') + count('unasked') + count('secret')).toBe(
      recordings.reduce((sum, { exchanges }) => sum + exchanges.length, 0),
    )
  },
)
