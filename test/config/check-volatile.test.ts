import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { parseOptions } from '../../src/config/parse-options.ts'
import { expectGolden } from '../golden.ts'
import { problemsOf } from './problems.ts'

const refused: Array<[rule: unknown, named: RegExp]> = [
  ['metadata.user_id', /'\$\.metadata\.user_id'/],
  ['uid', /'uid' .*'\$\.uid'.* uuid, ulid, /],
  ['$', /'\$' /],
  ['$.a[x]', /'\$\.a\[x\]' /],
  ['$.messages[*].content', /'\$\.messages\[\*\]\.content' /],
  ['$.contents[*].parts[*].text', /'\$\.contents\[.*text' /],
  ['$.systemInstruction.parts[*].text', /'\$\.systemInstruction\..*text' /],
  ['$.input', /'\$\.input' /],
  [1, / 1 /],
  [/\d*/, /\/\\d\*\/ .* \+ /],
  [/(?:)/g, /\/\(\?:\)\/g .* \+ /],
  [/.+/s, /\/\.\+\/s /],
  [/\w+/y, /\/\\w\+\/y /],
  [/[^]/, /\/\[\^\]\/ /],
]

test.for(refused)('the volatile rule %s is refused with what to write', ([rule, named]) => {
  expect(() => parseOptions({ volatile: [rule] })).toThrow(named)
  expect(() => parseOptions({ volatile: ['uuid', rule] })).toThrow(/volatile\.1: /)
})

test('each refused volatile rule has a reason', async () => {
  const problems = await problemsOf(
    refused.map(([rule]) => rule),
    (rule) => parseOptions({ volatile: [rule] }),
  )
  await expectGolden(problems, 'refused-rules')
})

test('names, paths, regular expressions and functions are rules', () => {
  const foreign = runInNewContext('/run-\\d+/') as RegExp
  const volatile = [
    'uuid',
    '$.a',
    '$.messages[0].content',
    '$.input[*].id',
    '$.a[*].b[0]',
    '$[0]',
    /req-\d+/g,
    foreign,
    () => [],
  ]
  expect(parseOptions({ volatile })).toEqual({ volatile })
})
