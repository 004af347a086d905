import type { TestInfo } from '@playwright/test'
import { expect, test } from 'vitest'
import { playwrightRecordCommand, SpecOwner } from '../../../src/runners/playwright/spec-owner.ts'

const cwd = process.cwd()

function commandOf(
  file: string,
  {
    config = 'playwright.config.ts',
    names = [''],
    titles = ['chat', 'greets Ada'],
    tags = [] as string[],
  },
  platform: NodeJS.Platform = 'linux',
): string {
  const projects = names.map((name) => ({ name }))
  const given = {
    config: { configFile: `${cwd}/${config}`, projects },
    file: `${cwd}/${file}`,
    project: projects[0],
    titlePath: [file, ...titles],
    tags,
  }
  return playwrightRecordCommand(given as unknown as TestInfo, platform)
}

const SPEC = 'e2e/chat.spec.ts'

test.for([
  [{}, SPEC, "e2e/chat.spec.ts -g 'chat greets Ada$'"],
  [
    { config: 'e2e/playwright.config.ts' },
    SPEC,
    "e2e/chat.spec.ts --config e2e/playwright.config.ts -g 'chat greets Ada$'",
  ],
  [
    { names: ['Mobile Safari', 'firefox'] },
    SPEC,
    "e2e/chat.spec.ts --project 'Mobile Safari' -g 'chat greets Ada$'",
  ],
  [
    { titles: ['costs $2 (or more)'] },
    SPEC,
    String.raw`e2e/chat.spec.ts -g 'costs \$2 \(or more\)$'`,
  ],
  [{ titles: [] }, SPEC, 'e2e/chat.spec.ts'],
  [{ titles: ['greets'], tags: ['@slow'] }, SPEC, "e2e/chat.spec.ts -g 'greets( @.+)*$'"],
  [{}, "app/[id]/it's.spec.ts", String.raw`'app/\[id\]/it'\''s.spec.ts' -g 'chat greets Ada$'`],
] as const)('the command records one test alone: %j of %s', ([given, file, expected]) => {
  expect(commandOf(file, given as object)).toBe(`RECORD=1 npx playwright test ${expected}`)
})

test('PowerShell sets the variable first and clears it again, and quotes in another way', () => {
  expect(commandOf(SPEC, { titles: ["Ada's"] }, 'win32')).toBe(
    "$env:RECORD=1; npx playwright test e2e/chat.spec.ts -g 'Ada.s$'; $env:RECORD=''",
  )
})

test('titles of composed and of decomposed letters have cassettes of their own', () => {
  const late = { hear() {}, release() {} }
  const pathOf = (title: string): string => {
    const given = {
      config: { rootDir: cwd },
      file: `${cwd}/a.spec.ts`,
      titlePath: ['a.spec.ts', title],
    }
    return new SpecOwner(given as unknown as TestInfo, '__recordings__', late, false).path(
      '__recordings__',
    )
  }
  expect(pathOf('e\u0301')).not.toBe(pathOf('\u00e9'))
})
