import { expect, test } from 'vitest'
import { startUpstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

const BY_SOCKET = { NODE_OPTIONS: `--import ${new URL('by-socket.mjs', import.meta.url)}` }

test('single edits of a request fail, and what may change passes, through both entrances', async () => {
  const upstream = await startUpstream()
  const project = new VitestProject('edits', { ODD_URL: upstream.oddUrl })
  const recording = await project.record()
  await upstream.stop()
  expect(recording.exitCode, recording.output).toBe(0)
  const unchanged = await project.run()
  expect(unchanged.exitCode, unchanged.output).toBe(0)
  const byFetch = await project.run([], { CHANGED: '1' })
  expect(outcomesOf(byFetch)).toEqual(RIGHT)
  const bySocket = await project.run([], { CHANGED: '1', ...BY_SOCKET })
  expect(outcomesOf(bySocket)).toEqual(RIGHT)
  expect(project.read('requests')).not.toBe('')
})

/** Every title says how its test is to end. */
const RIGHT = { passed: 5, failed: 12, wrong: [] }

function outcomesOf({ output }: Run): typeof RIGHT {
  const [failed, passed] = /Tests {2}(\d+) failed \| (\d+) passed/.exec(output)?.slice(1) ?? []
  const titles = [...output.matchAll(/ FAIL {2}edits\.test\.ts > (.*)/g)].map(([, title]) => title!)
  const wrong = titles.filter((title) => !title.startsWith('fails: ')) as never[]
  return { passed: Number(passed), failed: Number(failed), wrong }
}
