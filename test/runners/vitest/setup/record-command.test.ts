import { afterEach, expect, test } from 'vitest'
import { BENCH } from '../../../../src/runners/vitest/reporters/other-command.ts'
import { setProject } from '../../../../src/runners/vitest/setup/current-project.ts'
import { recordCommand } from '../../../../src/runners/vitest/setup/record-command.ts'

const place = { file: 'src/a b.test.ts', titles: ['refunds "$50"', "it's 100% & done"], ordinal: 0 }

afterEach(() => setProject({}))

test('the command is quoted for a POSIX shell, and names the project where there are several', () => {
  const command = String.raw`npx vitest-cassette record 'src/a b.test.ts' -t '^refunds "\$50"( >)? it'\''s 100% & done$'`
  expect(recordCommand(place, 'linux')).toBe(command)
  setProject({ project: 'web (unit)' })
  expect(recordCommand({ ...place, titles: [] }, 'linux')).toBe(
    "npx vitest-cassette record 'src/a b.test.ts' --project 'web (unit)'",
  )
  setProject({ project: 'unit', run: ['--config', 'e2e/vitest.e2e.config.ts'] })
  expect(recordCommand({ file: 'a.test.ts', titles: [], ordinal: 0 }, 'linux')).toBe(
    'npx vitest-cassette record a.test.ts --config e2e/vitest.e2e.config.ts --project unit',
  )
})

test('the command has no characters that control a terminal or the direction of its text', () => {
  const titles = ['a\u001b[31m \u202eb\u2066 c']
  expect(recordCommand({ ...place, titles }, 'linux')).toBe(
    String.raw`npx vitest-cassette record 'src/a b.test.ts' -t '^a[^]\[31m [^]b[^] c$'`,
  )
})

test('on Windows it holds nothing that PowerShell or cmd would read', () => {
  setProject({ project: 'web' })
  expect(recordCommand(place, 'win32')).toBe(
    'npx vitest-cassette record "src/a b.test.ts" --project "web" -t "^refunds ..50.( >)? it.s 100. . done$"',
  )
})

test('benchmarks are recorded by vitest bench, which has no other command', () => {
  setProject({ other: BENCH })
  const ofFile = { file: 'a.test.ts', titles: ['sums'], ordinal: 0 }
  expect(recordCommand(ofFile, 'linux')).toBe(
    "RECORD=1 npx vitest bench --run a.test.ts -t '^sums$'",
  )
  expect(recordCommand(ofFile, 'win32')).toBe(
    '$env:RECORD=1; npx vitest bench --run "a.test.ts" -t "^sums$"; $env:RECORD=\'\'',
  )
})
