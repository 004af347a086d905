import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { needs } from '../needs.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

const CLI = '../node_modules/.bin/vitest-cassette'

/** A network of its own for one command, in which only the address of IPv6 is there, or none at all. */
const ONLY_IPV6 = `unshare -rn sh -c 'ip link set lo up && ip addr del 127.0.0.1/8 dev lo && exec "$0" "$@"'`
const NOTHING = 'unshare -rn'

let provider: Upstream
let project: VitestProject

beforeAll(async () => {
  provider = await startUpstream()
  project = new VitestProject('gateway', { QUESTION: 'Hello', OPENAI_API_KEY: 'sk' })
  const env = { OPENAI_BASE_URL: `${provider.oddUrl}/v1`, RECORD: '1' }
  const recorded = await project.shell(`${CLI} run --cassette c/asked.json -- sh ask.sh`, env)
  expect(recorded.output).toContain('2 recorded')
  const [asked, cassette] = ['ask.sh', 'c/asked.json'].map((file) => project.read(file))
  project.write('past.sh', asked!.replace('$OPENAI_BASE_URL', 'https://api.openai.com/v1'))
  const url = `${provider.oddUrl}/v1`
  project.write('c/asked.json', cassette!.replaceAll(url, 'https://api.openai.com/v1'))
})
afterAll(() => provider.stop())

const run = (network: string, program: string) =>
  project.shell(`${network} ${CLI} run --cassette c/asked.json -- ${program} 2>&1`)

test.for([
  ['by its base URL', 'ask.sh'],
  ['by its proxy', 'past.sh'],
])(
  'on a machine that has IPv6 alone a program is answered %s',
  needs('namespaces', 'curl'),
  async ([, program]) => {
    const { output } = await run(ONLY_IPV6, `sh ${program}`)
    expect(output).toContain('Odd: Hello')
    expect(output).toContain('c/asked.json: 2 replayed')
  },
)

test(
  'on a machine on which nothing may listen whoever starts a program is told, and it runs all the same',
  needs('namespaces', 'curl'),
  async () => {
    const { output } = await run(NOTHING, `sh -c 'sh ask.sh; echo ended'`)
    const [told] = /^.*EADDRNOTAVAIL.*\n.*/m.exec(output) ?? [output]
    await expectGolden(told, 'nothing-may-listen')
    expect(output).toContain('Failed to connect to 127.0.0.1 port 9')
    expect(output).toContain('ended')
  },
)
