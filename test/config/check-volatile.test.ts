import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { parseOptions } from '../../src/config/parse-options.ts'

test.for([
  ['metadata.user_id', /A path begins with \$: '\$\.metadata\.user_id'/],
  ['uid', /'uid' is no rule\. A path is '\$\.uid'; the rules are uuid, ulid, /],
  ['$', /'\$' is no path/],
  ['$.a[x]', /is no path\. Write it as/],
  ['$.messages[*].content', /covers the prompt itself, so any prompt would pass/],
  ['$.contents[*].parts[*].text', /covers the prompt itself/],
  ['$.systemInstruction.parts[*].text', /covers the prompt itself/],
  ['$.input', /covers the prompt itself/],
  [1, /a name, a JSON path, a regular expression or a function/],
  [/\d*/, /\/\\d\*\/ matches the empty text\. .* \+ in place of \*/],
  [/(?:)/g, /matches the empty text/],
  [/.+/s, /matches every word, so any prompt would pass/],
  [/\w+/y, /matches every word/],
  [/[^]/, /matches every word/],
] as Array<[unknown, RegExp]>)(
  'the volatile rule %s is refused with what to write',
  ([rule, problem]) => {
    expect(() => parseOptions({ volatile: [rule] })).toThrow(problem)
    expect(() => parseOptions({ volatile: ['uuid', rule] })).toThrow(/volatile\.1: /)
  },
)

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
