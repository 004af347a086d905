import { PROVIDERS } from '../providers/catalogue.ts'
import { countOf } from '../text/count-of.ts'

/** How many LLM calls to a host a mock or a stub answered while we recorded. */
export interface ForeignAnswers {
  host: string
  by: string
  count: number
  /** They answered the request of a recording itself, so their answers are in its cassette. */
  isRecorded?: boolean
}

/** How to let a call through, by who answers it. */
const WAYS: ReadonlyArray<[by: RegExp, way: (host: string) => string]> = [
  [/^MSW$/, (host) => `server.use(http.all('*://${host}/*', () => passthrough()))`],
  [
    /^nock$/,
    (host) => `take its interceptors for ${host} away, and nock.enableNetConnect('${host}')`,
  ],
  [/^MockAgent$/, (host) => `take its interceptors for ${host} away, and agent.enableNetConnect()`],
  [/./, () => 'take it away while RECORD is set'],
]

/**
 * Names who answered LLM calls of a recording, so that they are in no cassette: no test fails for it. `undefined` if
 * nobody did.
 */
export function explainForeign(answers: readonly ForeignAnswers[]): string | undefined {
  const groups = [...Map.groupBy(answers, (one) => `${one.host} ${describe(one)}`).values()]
  const counted = groups.map((same) => ({
    ...same[0]!,
    count: same.reduce((sum, { count }) => sum + count, 0),
  }))
  const total = counted.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return undefined
  const firsts = [...Map.groupBy(counted, ({ by }) => by).values()].map(([first]) => first!)
  const were = total === 1 ? 'was' : 'were'
  return [
    `${countOf(total, 'LLM call')} ${were} answered or refused by others than the provider:`,
    ...counted.map((one) => `  ${one.host}: ${countOf(one.count, 'call')} ${describe(one)}`),
    'To record, let the calls through to the provider:',
    ...firsts.map(({ host, by }) => {
      const [, way] = WAYS.find(([pattern]) => pattern.test(by))!
      return `  ${by}: ${way(host)}`
    }),
    'What is meant to answer them goes on to do so in replay, without a cassette.',
  ].join('\n')
}

function describe({ by, isRecorded }: ForeignAnswers): string {
  return `by ${by}, ${isRecorded ? 'recorded and marked as mocked: verify names them' : 'not recorded'}`
}

/** Whether the key of any provider is set. */
export function hasAnyKey(env: Readonly<Record<string, unknown>>): boolean {
  return Object.values(PROVIDERS).some(({ keys = [] }) => keys.some((name) => env[name]))
}

/**
 * Says that a recording asked nothing, and why that may be.
 *
 * @param hasKey whether the key of a provider is set
 */
export function explainNothing(tests: number, hasKey: boolean): string {
  return [
    `nothing: ${countOf(tests, 'test')} ran, and no LLM call came to vitest-cassette. If they ask a model:`,
    ...(hasKey
      ? []
      : [
          '  no key of a provider is set, without which an SDK can fail before it asks: set it (npx vitest-cassette record reads .env)',
        ]),
    "  a mock of a module, such as vi.mock('openai'), answers in its place: take it away while RECORD is set",
    '  their client has a fetch or an adapter of its own (axios-mock-adapter): let it use the usual one',
    '  their provider is unknown: add its host, cassettes({ hosts: […] })',
  ].join('\n')
}
