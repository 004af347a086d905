import { expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { startRefusingProxy } from '../upstream/start-refusing-proxy.ts'
import { startUpstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

/** In the process of a test, a proxy of the environment or of the dispatcher is the way of a recording to its provider. */
const PLAIN = '^(?!main global)'
const OTHERS = '^(?!main)'
const OWN_WAY = /^main global(?:Proxy|Env)$/

test.for([
  ['as they are', {}, PLAIN, 23],
  ['of the environment, by NODE_USE_ENV_PROXY', { NODE_USE_ENV_PROXY: '1' }, OTHERS, 18],
] as const)(
  'a proxy that refuses this machine gets no prompt, key or token, and no test is green in which nothing was asked: %s',
  needs('curl', 'python3'),
  async ([, env, tests, count]) => {
    const provider = await startUpstream()
    const proxy = await startRefusingProxy()
    const named = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, PROXY: proxy.url }
    const project = new VitestProject('proxies', { ...named, ...env })
    const recording = await project.runTests(['-t', tests], {
      RECORD: '1',
      TARGET: provider.oddUrl,
    })
    expect(recording.exitCode, recording.output).toBe(0)
    expect(recording.output).toContain(`${count} recorded`)
    expect(recording.output).not.toContain('[vitest-cassette]')
    const own = await project.runTests(['-t', '^main global'], {
      RECORD: '1',
      TARGET: provider.oddUrl,
    })
    const failed = own.tests.filter(({ status }) => status === 'failed')
    expect(failed.filter(({ title }) => OWN_WAY.test(title))).toHaveLength(2)
    await provider.stop()

    const before = proxy.got()
    const replay = await project.runTests(['-t', tests])
    expect(replay.exitCode, replay.output).toBe(0)
    expect(replay.output).toContain(`${count} replayed`)
    const changed = await project.runTests([], { CHANGED: '!' })
    const green = changed.tests.filter(({ status }) => status === 'passed')
    expect(green.map(({ title }) => title)).toEqual([])
    proxy.stop()
    expect(proxy.got()).toBe(before)
    expect(before).not.toMatch(/By (?!global)|\/caught\/|proxy-authorization/i)
  },
)
