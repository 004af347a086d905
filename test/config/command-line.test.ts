import { expect, test } from 'vitest'
import { inMode, quoteWord, recording } from '../../src/config/mode.ts'

test.each([
  ['linux', 'RECORD=1 npx playwright test', 'RECORD=new npx playwright test'],
  [
    'win32',
    "$env:RECORD=1; npx playwright test; $env:RECORD=''",
    "$env:RECORD=new; npx playwright test; $env:RECORD=''",
  ],
] as const)('on %s a command records, and in another mode too', (platform, command, other) => {
  expect(recording('npx playwright test', platform)).toBe(command)
  expect(inMode(command, 'new')).toBe(other)
})

test('a command that records by itself takes the mode as an option', () => {
  expect(inMode('npx vitest-cassette record "RECORD=1.test.ts"', 'prompts')).toBe(
    'npx vitest-cassette record "RECORD=1.test.ts" --prompts',
  )
})

test.each([
  ['npx vitest', 'npx vitest-cassette record'],
  ['npx vitest run a.test.ts', 'npx vitest-cassette record a.test.ts'],
  ['npx vitest running', 'npx vitest-cassette record running'],
  ['npx vitest-cassette serve', "$env:RECORD=1; npx vitest-cassette serve; $env:RECORD=''"],
])(
  'on Windows, %s is recorded by a command of every shell, where there is one',
  (given, command) => {
    expect(recording(given, 'win32')).toBe(command)
  },
)

test.each([
  ['src/a.test.ts', 'src/a.test.ts', 'src/a.test.ts'],
  ['my app/a.test.ts', "'my app/a.test.ts'", '"my app/a.test.ts"'],
  [String.raw`C:\my app\a.ts`, String.raw`'C:\my app\a.ts'`, String.raw`"C:\my app\a.ts"`],
  ["it's", String.raw`'it'\''s'`, '"it\'s"'],
  ["^Ada's$", String.raw`'^Ada'\''s$'`, "'^Ada''s$'"],
  ['100%', "'100%'", "'100%'"],
  ['', "''", '""'],
])('the word %j is quoted for the shell of the system', (word, posix, windows) => {
  expect(quoteWord(word, 'darwin')).toBe(posix)
  expect(quoteWord(word, 'win32')).toBe(windows)
})
