import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { neededBy, RELEASES } from './releases.ts'
import { VitestProject } from './vitest-project.ts'

const DEAD = 'http://127.0.0.1:2'

let upstream: Upstream
let recorded: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  recorded = new VitestProject('crossing', { UPSTREAM_URL: upstream.oddUrl })
  const recording = await recorded.record([], { POOLS: 'forks' })
  expect(recording.exitCode, recording.output).toBe(0)
})

afterAll(() => upstream.stop())

for (const [release, vitest] of RELEASES)
  describe(`Vitest ${release}`, needs(...neededBy(release)), () => {
    test('every option reaches the workers of every pool as it was given', async () => {
      const project = new VitestProject(recorded.dir, {}, vitest)
      const replay = await project.run([], { UPSTREAM_URL: DEAD })
      expect(replay.exitCode, replay.output).toBe(0)
      expect(replay.output).toMatch(/Tests {2}8 passed/)
    })
  })
