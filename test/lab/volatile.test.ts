import { expect, test } from 'vitest'
import { scenario, whole } from './lab.ts'

const SETTLED = ['plain', 'streamed', 'turns']
const FAILED = ['covered > covered', 'folder', 'swapped', 'word']

scenario('volatile', (made) => {
  test('with the recorded values nothing is another than without rules', () => {
    expect(made('replay').titles('failed')).toEqual([])
    for (const { cassette } of made('replay').tests) expect(cassette.forgiven).toBeUndefined()
  })

  test.for(['changed', 'changed by sockets', 'threads', 'vmThreads', 'vmForks'] as const)(
    'declared values may differ, and come back in the answer, plain, streamed and sent back: %s',
    (run) => {
      const [passed, failed] = [made(run).titles('passed'), made(run).titles('failed')]
      expect(passed.map((title) => title.split(':')[0])).toEqual(SETTLED)
      expect(failed.map((title) => title.split(':')[0])).toEqual(FAILED)
    },
  )

  test('a word beside a volatile value is all that the failure names', () => {
    expect(made('changed').changes('word')).toEqual([
      { place: 'message 1 user', before: 'brief.', after: 'kind.' },
    ])
  })

  test.for([
    ['swapped', 'miss'],
    ['word', 'miss'],
    ['folder', 'miss'],
    ['covered > covered', 'invalid-option'],
  ])('a miss is explained: %s', async ([title, code]) => {
    expect(made('changed').code(title!)).toBe(code)
    const golden = `golden/volatile/${title!.split(' ')[0]}.txt`
    await expect(made('changed').text(title!)).toMatchFileSnapshot(golden)
  })

  test('what rules forgave is counted, by rule and place', () => {
    const forgiven = made('changed').tests.flatMap(({ title, cassette }) =>
      (cassette.forgiven ?? []).map(({ rule, requests, places }) => [
        title.split(':')[0],
        rule,
        requests,
        places,
      ]),
    )
    expect(forgiven).toMatchInlineSnapshot(`
      [
        [
          "plain",
          "uuid",
          1,
          [
            "$.messages[*].content",
          ],
        ],
        [
          "plain",
          "date-phrase",
          1,
          [
            "$.messages[*].content",
          ],
        ],
        [
          "plain",
          "/req-\\d+/g",
          1,
          [
            "$.messages[*].content",
          ],
        ],
        [
          "plain",
          "$.metadata.run",
          1,
          [
            "$.metadata.run",
          ],
        ],
        [
          "streamed",
          "uuid",
          1,
          [
            "$.messages[*].content",
          ],
        ],
        [
          "streamed",
          "date-phrase",
          1,
          [
            "$.messages[*].content",
          ],
        ],
        [
          "streamed",
          "/req-\\d+/g",
          1,
          [
            "$.messages[*].content",
          ],
        ],
        [
          "turns",
          "uuid",
          2,
          [
            "$.messages[*].content",
          ],
        ],
        [
          "swapped",
          "uuid",
          1,
          [
            "$.messages[*].content",
          ],
        ],
      ]
    `)
  })

  test('the summary counts the requests and tests of a rule', () => {
    const { tests, output } = whole('changed')
    const forgiven = tests.flatMap(({ cassette }) =>
      (cassette.forgiven ?? []).filter(({ rule }) => rule === 'uuid'),
    )
    const requests = forgiven.reduce((sum, one) => sum + one.requests, 0)
    expect(output).toMatch(
      new RegExp(
        `^ +(Volatile {2})?uuid .* ${requests} requests of ${forgiven.length} tests, at `,
        'm',
      ),
    )
  })
})
