import { expect, test } from 'vitest'
import { inMode, quoteWord, recording, replaying } from '../../src/text/command-line.ts'

test.each([
  ['linux', 'RECORD=1 npx playwright test', 'RECORD=new npx playwright test'],
  [
    'win32',
    "$env:RECORD=1; npx playwright test; $env:RECORD=''",
    "$env:RECORD=new; npx playwright test; $env:RECORD=''",
  ],
] as const)(
  'on %s a command records, in another mode too, and without it replays',
  (platform, command, other) => {
    expect(recording('npx playwright test', platform)).toBe(command)
    expect(inMode(command, 'new')).toBe(other)
    expect(replaying(command)).toBe('npx playwright test')
  },
)

test('a command which records by itself takes the mode as an option', () => {
  expect(inMode('npx vitest-cassette record "RECORD=1.test.ts"', 'prompts')).toBe(
    'npx vitest-cassette record --prompts "RECORD=1.test.ts"',
  )
})

test.each(['node a.mjs', "node a.mjs; $env:RECORD=''", '$env:RECORD=1; node a.mjs'])(
  'the words of a program that set nothing stay: %s',
  (command) => {
    expect(replaying(command)).toBe(command)
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
