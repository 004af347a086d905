import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { BY_SOCKET, VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream

beforeAll(async () => void (upstream = await startUpstream()))
afterAll(() => upstream.stop())

// One process for all files of a project: in their own tests, each has its own.
const SHARED = ['--no-isolate', '--maxWorkers=1']

const projects = [
  { name: 'replay', env: { API_KEY: 'sk-none' }, args: SHARED },
  { name: 'misses', changed: { CHANGED: '1' }, exitCode: 1 },
  { name: 'concurrency', isOdd: true, args: SHARED },
  { name: 'order', isOdd: true, args: SHARED },
]

test.each(projects)(
  'what was recorded over sockets is replayed through both entrances, with the same results: $name',
  async ({ name, isOdd = false, args = [], env = {}, changed = {}, exitCode = 0 }) => {
    const project = new VitestProject(name, {
      ODD_URL: upstream.oddUrl,
      UPSTREAM_URL: isOdd ? upstream.oddUrl : upstream.url,
      ...env,
    })
    const recording = await project.record(args, { ...BY_SOCKET, RESULTS: 'recorded' })
    expect(recording.exitCode, recording.output).toBe(0)
    const seen = await upstream.count()
    project.remove('requests')

    const replayed = { ...changed, RESULTS: 'replayed' }
    const byFetch = await project.run(args, replayed)
    const results = resultsOf(project)
    expect(byFetch.exitCode, byFetch.output).toBe(exitCode)
    const bySocket = await project.run(args, { ...replayed, ...BY_SOCKET })
    expect(bySocket.exitCode, bySocket.output).toBe(exitCode)
    expect(project.read('requests')).not.toBe('')

    expect(summaryOf(bySocket)).toEqual(summaryOf(byFetch))
    expect(failuresOf(bySocket)).toEqual(failuresOf(byFetch))
    expect(resultsOf(project)).toEqual(results)
    expect(await upstream.count()).toBe(seen)
  },
)

/** What the application got, as it kept it. */
function resultsOf(project: VitestProject): Record<string, string> {
  return Object.fromEntries(
    project.files('replayed').map((file) => [file, project.read(`replayed/${file}`)]),
  )
}

/** Each failure as it is printed, without the frames of its stack. */
function failuresOf({ output }: Run): string[] {
  const [, ...failures] = output.split(/^ FAIL /m)
  return failures.map((text) => text.split(/^ ❯ |^⎯/m)[0]!).toSorted()
}

/** How many tests passed and failed, and what this package says of them. */
function summaryOf({ output }: Run): string[] {
  const [counts] = /^ Test Files.*\n.*/m.exec(output)!
  const [, cassettes = ''] = output.split(/^(?= {2}Cassettes)/m)
  // It comes by another pipe than Vitest's own.
  return [counts, cassettes.split('\n\n')[0]!]
}
