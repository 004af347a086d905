import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChromium } from '../../examples/screen-agent/test/chromium.ts'
import { screenshot } from '../engine/screens.ts'
import { startUpstream } from '../upstream/start-upstream.ts'
import { needs } from '../needs.ts'
import { type Run, toldPeople, VitestProject } from './vitest-project.ts'

/** Looks like a key, and is part of the changed prompt. */
const KEY = `sk-proj-${'aB3dE5gH7jK9'.repeat(4)}`

const FILES = {
  json: 'out/run.json',
  junit: 'out/run.xml',
  blob: 'blobs/run.json',
} as const

const CHANGE = `  message 1 · system
    - Be kind.
    + Be <REDACTED:`

const CONVERSATION =
  /System: Be <REDACTED:[^]+\n> The first question\n\nNothing answers this request\./

let project: VitestProject
let failed: Run
let lineOfCall: number

beforeAll(async () => {
  const upstream = await startUpstream()
  project = new VitestProject('report', { UPSTREAM_URL: upstream.url })
  const picture = Buffer.from(await screenshot(), 'base64')
  writeFileSync(join(project.dir, 'plain.png'), picture)
  const recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  await upstream.stop()
  const source = project.read('report.test.ts').split('\n')
  lineOfCall = 1 + source.findIndex((line) => line.includes('messages.create('))
  const reporters = Object.entries(FILES).flatMap(([name, file]) => [
    `--reporter=${name}`,
    `--outputFile.${name}=${file}`,
  ])
  const others = ['html', 'github-actions', 'tap', 'verbose'].map((name) => `--reporter=${name}`)
  failed = await project.run([...reporters, ...others], {
    WORD: KEY,
    SAYS: 'Nobody says this',
    NO_COLOR: undefined,
    FORCE_COLOR: '1',
  })
})

interface Reported {
  title: string
  failureMessages: string[]
  meta: { llmConversation?: string; cassette?: { cause?: { advice: string } } }
}

function testsIn(file: string): Record<string, Reported> {
  const all = project.json(file).testResults.flatMap((one: any) => one.assertionResults)
  return Object.fromEntries(all.map((one: Reported) => [one.title, one]))
}

test('the JSON report has the diff without colours, and the conversation of failed tests alone', () => {
  const tests = testsIn(FILES.json)
  const { failureMessages, meta } = tests['asks the first question']!
  expect(failureMessages[0]).toContain(CHANGE)
  expect(failureMessages[0]).toMatch(
    new RegExp(`record --changed\n    at ask \\(\\S+report\\.test\\.ts:${lineOfCall}:\\d+\\)\n`),
  )
  expect(meta.llmConversation).toMatch(CONVERSATION)
  expect(tests['expects another answer']!.meta.llmConversation).toMatch(/says: You said: Hello$/)
  for (const title of ['shows a picture', 'asks nobody'])
    expect(tests[title]!.meta).not.toHaveProperty('llmConversation')
  expect(project.read(FILES.json)).not.toContain(String.raw`\u001b`)
})

test('the JUnit report has the diff without colours', () => {
  const xml = project.read(FILES.junit)
  expect(xml).toContain(CHANGE.replace('<', '&lt;'))
  expect(xml).toContain(`❯ ask report.test.ts:${lineOfCall}:`)
  expect(xml).not.toContain('\u001b')
})

test('an annotation of GitHub stands at the line that asked, and has the diff', () => {
  const annotations = failed.output.match(/^::error .*CassetteError.*$/gm)!
  expect(annotations).toHaveLength(3)
  expect(annotations[0]).toMatch(new RegExp(`,line=${lineOfCall},column=\\d+::`))
  expect(annotations[0]).toContain(CHANGE.replaceAll('\n', '%0A'))
  expect(annotations[0]).not.toContain('\u001b')
})

test('TAP has the line that says what changed, and the line that asked', () => {
  const [, said] = failed.output.split('not ok 1 - asks the first question')
  expect(said).toMatch(
    /^.*\n +---\n +error:\n +name: "CassetteError"\n +message: "The prompt changed: /,
  )
  expect(said).toMatch(new RegExp(`^ +at: "\\S+report\\.test\\.ts:${lineOfCall}:\\d+"$`, 'm'))
})

test('a terminal shows the diff once, and no conversation', () => {
  const [, shown] = failed.output.split('Failed Tests 4')
  const text = stripVTControlCharacters(shown!).replaceAll(/^::error .*$/gm, '')
  expect(text.split(CHANGE)).toHaveLength(2)
  expect(text).not.toContain('Nothing answers this request')
})

test('merged reports of several runs say it as the run did, and each command once', async () => {
  const merged = await project.run(
    [
      '--merge-reports=blobs',
      '--reporter=dot',
      '--reporter=json',
      '--outputFile.json=out/all.json',
    ],
    { NO_COLOR: undefined, FORCE_COLOR: '1' },
  )
  const output = toldPeople(merged)
  expect(output.split(' fails 3 tests')).toHaveLength(2)
  expect(output.match(/record --prompts/g)).toHaveLength(1)
  expect(output.match(/report {3}\S* \S+index\.html#/g)).toHaveLength(1)
  expect(testsIn('out/all.json')).toEqual(testsIn(FILES.json))
})

test('no report has what looks like a key', () => {
  expect(failed.output).toContain('Failed Tests 4')
  expect(failed.output).not.toContain(KEY)
  for (const file of [FILES.json, FILES.junit, FILES.blob])
    expect(project.read(file), file).not.toContain(KEY)
})

/** Opens a failed test in a page of Vitest, which then shows the diff and the conversation. */
async function expectConversation(page: Page): Promise<void> {
  let text = ''
  const open = async (): Promise<string> => {
    // A click can come before the page listens.
    await page.getByText('asks the first question').first().click()
    return (text = await page.locator('body').innerText())
  }
  await expect.poll(open, { timeout: 20_000, interval: 500 }).toMatch(CONVERSATION)
  expect(text).toContain(CHANGE)
  expect(text).not.toContain(KEY)
}

describe("Vitest's pages", needs('chromium'), () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await startChromium()
  })

  afterAll(() => browser?.close())

  test('the HTML report shows a failed test with its diff and its conversation', async () => {
    const page = await browser.newPage()
    const origin = 'http://report.localhost'
    await page.route(`${origin}/**`, (route) => {
      const { pathname } = new URL(route.request().url())
      const file = pathname === '/' ? 'index.html' : pathname
      return route.fulfill({ path: join(project.dir, '.vitest', file) })
    })
    await page.goto(origin)
    await expectConversation(page)
    await page.close()
  })

  test('Vitest UI shows both beside the test while it runs in watch mode', async () => {
    const args = ['--ui', '--open=false', '--api.port=0']
    const changed = { WORD: KEY, NO_COLOR: undefined, FORCE_COLOR: '1' }
    const run = project.watch(changed, args)
    const output = (): string => stripVTControlCharacters(run.output)
    const page = await browser.newPage()
    try {
      await expect.poll(output, { timeout: 60_000 }).toContain('Watching for file changes')
      await page.goto(/UI started at (\S+)/.exec(output())![1]!)
      await expectConversation(page)
    } finally {
      await page.close()
      await run.stop()
    }
  })
})
