import { networkInterfaces } from 'node:os'
import { beforeAll, expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { failureIn, type TestsRun, VitestProject } from './vitest-project.ts'

let project: VitestProject
let run: TestsRun

beforeAll(async () => {
  project = new VitestProject('closed')
  run = await project.runTests()
})

const failuresIn = (file: string): Array<[title: string, failure: string]> =>
  run.tests
    .filter((one) => one.file === file)
    .map(({ title, failureMessages: [first = 'passed'] }) => [title, first.split('\n')[0]!])

test(
  'in replay nothing leaves this machine by any way, and each test fails, though it swallows the error',
  needs('curl'),
  () => {
    const failures = failuresIn('ways.test.ts')
    expect(failures).toMatchInlineSnapshot(`
    [
      [
        "fetch",
        "CassetteError: GET https://other.invalid/search is not recorded, and the option network is 'closed': nothing was sent",
      ],
      [
        "fetch, of a vector store",
        "CassetteError: POST https://other.invalid/vectors/query is not recorded, and the option network is 'closed': nothing was sent",
      ],
      [
        "fetch, telemetry",
        "CassetteError: POST https://other.invalid/envelope is not recorded, and the option network is 'closed': nothing was sent",
      ],
      [
        "node:http",
        "CassetteError: GET http://other.invalid/search is not recorded, and the option network is 'closed': nothing was sent",
      ],
      [
        "undici request",
        "CassetteError: GET https://other.invalid/search is not recorded, and the option network is 'closed': nothing was sent",
      ],
      [
        "global WebSocket",
        "CassetteError: GET https://other.invalid/feed is not recorded, and the option network is 'closed': nothing was sent",
      ],
      [
        "ws",
        "CassetteError: GET http://other.invalid/feed is not recorded, and the option network is 'closed': nothing was sent",
      ],
      [
        "a database that waits for its client",
        "CassetteError: A connection to db.other.invalid:5432 by node:net is refused: the option network is 'closed', and nothing is sent.",
      ],
      [
        "a database that speaks first",
        "CassetteError: A connection to db.other.invalid:3306 by node:net is refused: the option network is 'closed', and nothing is sent.",
      ],
      [
        "an address",
        "CassetteError: A connection to 192.0.2.1:6379 by node:net is refused: the option network is 'closed', and nothing is sent.",
      ],
      [
        "node:tls",
        "CassetteError: A connection to db.other.invalid:6380 by node:tls is refused: the option network is 'closed', and nothing is sent.",
      ],
      [
        "node:http2",
        "CassetteError: A connection to other.invalid:443 by node:http2 is refused: the option network is 'closed', and nothing is sent.",
      ],
      [
        "dns.lookup",
        "CassetteError: A question to a name server for other.invalid by node:dns is refused: the option network is 'closed', and nothing is sent.",
      ],
      [
        "dns.promises.resolveTxt",
        "CassetteError: A question to a name server for other.invalid by node:dns is refused: the option network is 'closed', and nothing is sent.",
      ],
      [
        "dns.Resolver",
        "CassetteError: A question to a name server for other.invalid by node:dns is refused: the option network is 'closed', and nothing is sent.",
      ],
      [
        "node:dgram",
        "CassetteError: A datagram to statsd.other.invalid:8125 by node:dgram is refused: the option network is 'closed', and nothing is sent.",
      ],
      [
        "node:dgram without a callback",
        "CassetteError: A datagram to 192.0.2.1:8125 by node:dgram is refused: the option network is 'closed', and nothing is sent.",
      ],
      [
        "worker thread",
        "CassetteError: A connection to other.invalid:443 by node:tls in a worker thread is refused: the option network is 'closed', and nothing is sent.",
      ],
      [
        "child process",
        "CassetteError: A connection to other.invalid:443 by node:tls in a child process is refused: the option network is 'closed', and nothing is sent.",
      ],
      [
        "child process of another language, by TLS",
        "CassetteError: GET https://other.invalid/search is not recorded, and the option network is 'closed': nothing was sent",
      ],
      [
        "child process of another language, in plain text",
        "CassetteError: GET http://other.invalid/search is not recorded, and the option network is 'closed': nothing was sent",
      ],
    ]
  `)
  },
)

test('what stays here passes, and so does what an option allows', needs('curl'), () => {
  const outcomes = failuresIn('here.test.ts')
  const addresses = Object.values(networkInterfaces()).flatMap((one) => one ?? [])
  const own = addresses.filter(({ internal, family }) => !internal && family === 'IPv4')
  expect(outcomes).toHaveLength(9 + own.length)
  expect(outcomes.filter(([, failure]) => failure !== 'passed')).toEqual([])
})

test('a request over HTTP fails with what records it, and what lets it out', needs('curl'), () => {
  expect(failureIn(run, 'ways.test.ts > fetch')).toMatchInlineSnapshot(`
    "
    CassetteError: GET https://other.invalid/search is not recorded, and the option network is 'closed': nothing was sent

      test      ways.test.ts > fetch

    No cassette answers here for any host.
    To record it with the LLM calls: cassettes({ hosts: ['other.invalid'] }), and then
      npx vitest-cassette record ways.test.ts -t '^fetch$'
    To let it out in replay: cassettes({ allowHosts: ['other.invalid'] }). Or put a fake, or a server on this machine, in its place.

    "
  `)
  const [failure] = failureIn(run, 'ways.test.ts > a database that waits for its client').split('⎯')
  expect(failure).toMatchInlineSnapshot(`
    "
    CassetteError: A connection to db.other.invalid:5432 by node:net is refused: the option network is 'closed', and nothing is sent.

      test      ways.test.ts > a database that waits for its client

    Only HTTP and WebSockets can be recorded, by the option hosts. Put a fake, or a server on this machine, in its place, or let it out: cassettes({ allowHosts: ['db.other.invalid:5432'] }).

    "
  `)
})

test('what is asked outside of tests fails the file by name', needs('curl'), () => {
  expect(failureIn(run, 'module.test.ts [ module.test.ts ]')).toMatchInlineSnapshot(`
    "
    CassetteError: GET https://module.invalid/flags is not recorded, and the option network is 'closed': nothing was sent

      test      module.test.ts

    No cassette answers here for any host.
    To record it with the LLM calls: cassettes({ hosts: ['module.invalid'] }), and then
      npx vitest-cassette record module.test.ts
    To let it out in replay: cassettes({ allowHosts: ['module.invalid'] }). Or put a fake, or a server on this machine, in its place.

    "
  `)
  expect(failureIn(run, 'late.test.ts [ late.test.ts ]')).toMatchInlineSnapshot(`
    "
    CassetteError: Asked when the test "late.test.ts > ends before its telemetry" had ended: GET https://late.invalid/batch is not recorded, and the option network is 'closed': nothing was sent

      test      late.test.ts > ends before its telemetry

    No cassette answers here for any host.
    To record it with the LLM calls: cassettes({ hosts: ['late.invalid'] }), and then
      npx vitest-cassette record late.test.ts -t '^ends before its telemetry$'
    To let it out in replay: cassettes({ allowHosts: ['late.invalid'] }). Or put a fake, or a server on this machine, in its place.

    "
  `)
  expect(failureIn(run, 'unawaited.test.ts [ unawaited.test.ts ]')).toMatchInlineSnapshot(`
    "
    CassetteError: GET https://background.invalid/beat is not recorded, and the option network is 'closed': nothing was sent

      test      unawaited.test.ts

    No cassette answers here for any host.
    To record it with the LLM calls: cassettes({ hosts: ['background.invalid'] }), and then
      npx vitest-cassette record unawaited.test.ts
    To let it out in replay: cassettes({ allowHosts: ['background.invalid'] }). Or put a fake, or a server on this machine, in its place.

    "
  `)
})

test('without the option all of it goes out', needs('curl'), async () => {
  const { output } = await project.run(['module', 'late', 'unawaited'], { NETWORK: 'open' })
  expect(output).toContain('Tests  4 passed')
})

test(
  'a recording lets it out, and names what replay will refuse, with what to type',
  needs('curl'),
  async () => {
    const { output, exitCode } = await project.record(['module', '-t', 'passes'])
    expect(exitCode, output).toBe(0)
    expect(output.slice(output.indexOf('Network'))).toMatchInlineSnapshot(`
    "Network  the option network is 'closed', so replay will refuse what was sent here and not recorded:
                   module.invalid: GET https://module.invalid/flags
                 To record it: cassettes({ hosts: ['module.invalid'] }), and record again.
                 To let it out in replay too: cassettes({ allowHosts: ['module.invalid'] }).

       Recorded  nothing: 1 test ran, and no LLM call came to vitest-cassette. If they ask a model:
                   no key of a provider is set, without which an SDK can fail before it asks: set it (npx vitest-cassette record reads .env)
                   a mock of a module, such as vi.mock('openai'), answers in its place: take it away while RECORD is set
                   their client has a fetch or an adapter of its own (axios-mock-adapter): let it use the usual one
                   their provider is unknown: add its host, cassettes({ hosts: […] })

    "
  `)
  },
)

test('one failure names all that was refused in its test', needs('curl'), async () => {
  const own = new VitestProject('closed')
  own.write(
    'several.test.ts',
    `import { test } from 'vitest'
test('several', async () => {
  for (const name of ['one', 'two', 'two', 'three']) await fetch(\`https://\${name}.invalid/search\`).catch(() => {})
})
`,
  )
  const { output } = await own.run(['several'])
  expect(output).toContain('CassetteError: GET https://one.invalid/search is not recorded')
  expect(output).toMatch(
    /Refused after it, for the same reason:\n +GET https:\/\/two\.invalid\/search\n +GET https:\/\/three\.invalid\/search\n(?! +GET)/,
  )
})
