import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChromium } from '../../examples/screen-agent/test/chromium.ts'
import { CassetteStore } from '../../src/cassette/store.ts'
import type { Judged } from '../../src/tools/rehearse/judge-asking.ts'
import type { Report } from '../../src/tools/rehearse/report.ts'
import { needs } from '../needs.ts'
import { recordedFrom, type Drift } from '../tools/rehearse/drifting-provider.ts'
import { PROMPTS } from '../tools/rehearse/rehearsal-project.ts'
import { openReport } from './report-pages.ts'
import { VitestProject } from './vitest-project.ts'

const DRIFTS: Record<string, Drift> = {
  weather: { calls: [['forecast', { city: 'Rome' }]] },
  both: {
    calls: [
      ['weather', { city: 'Rome' }],
      ['weather', { city: 'Bern' }],
    ],
  },
  order: { content: '{"id":8,"items":[{"sku":"b","count":2}]}' },
  hello: [null, null, { content: '' }],
  joke: { refusal: 'That is <b>not</b> funny.' },
  story: { content: 'Once, long ago.' },
}

const FOUND = {
  'exchange-1': ['does not call weather any more', 'calls forecast, which it did not'],
  'exchange-2': ['weather.city is "Bern", was "Oslo"'],
  'exchange-3': ['/state is missing'],
  'exchange-5': ['the answer is empty'],
  'exchange-6': ['the model refuses'],
}

let provider: ChildProcess
let project: VitestProject
let drifted: Report & { exitCode: number; asked: number }

beforeAll(async () => {
  provider = fork(fileURLToPath(new URL('../tools/rehearse/drifting-server.ts', import.meta.url)), {
    execArgv: [],
  })
  const [url] = (await once(provider, 'message')) as [string]
  project = new VitestProject('record')
  const store = new CassetteStore(project.dir, '__recordings__', 1e9)
  await store.save('agent.test.ts/asks-1.json', recordedFrom(url, 'agent.test.ts > asks', PROMPTS))
  drifted = await rehearse(DRIFTS, '--samples 5 --html page')
})

afterAll(() => provider?.kill())

test('a provider of another process that drifts in known ways: all is found, and nothing else', () => {
  expect(drifted).toMatchObject({ exitCode: 1, asked: 35 })
  const found = drifted.others.map(({ exchange, differences }: Judged) => [
    exchange,
    differences.map(({ says }) => says),
  ])
  expect(Object.fromEntries(found)).toEqual(FOUND)
  expect(drifted.others.map(({ agreed }) => agreed)).toEqual([0, 0, 0, 4, 0])
  expect(drifted.total.verdicts).toMatchObject({ same: 1, words: 1, other: 5 })
})

test('a cap stops it, the same command goes on, and nothing is sent twice', async () => {
  const first = await rehearse({}, '--max-cost 0.02 --concurrency 1')
  expect(first.exitCode).toBe(1)
  expect(first.stopped).toMatch(/ --max-cost$/)
  expect(first.asked).toBe(first.spent.exchanges)
  const rest = await rehearse({}, '--max-cost 0.05')
  expect(rest).toMatchObject({ exitCode: 0, asked: PROMPTS.length - first.asked })
})

test('a folder of something else is refused before anything is asked', async () => {
  const before = project.files('.')
  const refused = await run({}, '--html .')
  expect(refused).toMatchObject({ exitCode: 2, asked: 0 })
  expect(project.files('.')).toEqual(before)
})

describe('the page of a rehearsal', needs('chromium'), () => {
  test('has the differing answers side by side, as texts, and leads to what was recorded', async () => {
    await using browser = await startChromium()
    await using opened = await openReport(browser, { folder: join(project.dir, 'page') })
    const { page, problems } = opened
    const joke = page.locator('.rehearsed', { hasText: 'exchange-6: other' })
    await joke.waitFor()
    expect(await page.locator('.rehearsal').textContent()).toContain(
      '7 answers: 1 the same, 1 in other words, 5 behave otherwise.',
    )
    expect(await joke.locator('li').allTextContents()).toEqual(['the model refuses'])
    const sides = joke.locator('pre')
    expect(await sides.nth(0).textContent()).toContain('A horse walks into a bar.')
    expect(await sides.nth(1).textContent()).toContain('That is <b>not</b> funny.')
    const [recorded, now] = await Promise.all([0, 1].map((at) => sides.nth(at).boundingBox()))
    expect(now!.x).toBeGreaterThan(recorded!.x)
    expect(now!.y).toBe(recorded!.y)
    expect(await page.locator('.rehearsal details .rehearsed').count()).toBe(1)
    await joke.getByRole('link').click()
    await page.locator('.exchange.target').waitFor()
    expect(problems).toEqual([])
  })
})

/** Rehearses against a provider that drifts so, and says how often it was asked. */
async function rehearse(
  drifts: Record<string, Drift>,
  words: string,
): Promise<Report & { exitCode: number; asked: number }> {
  const { exitCode, output, asked } = await run(drifts, `--json ${words}`)
  const json = output.slice(output.indexOf('\n{') + 1, output.lastIndexOf('\n}') + 2)
  return { ...(JSON.parse(json) as Report), exitCode, asked }
}

async function run(
  drifts: Record<string, Drift>,
  words: string,
): Promise<{ exitCode: number; output: string; asked: number }> {
  await tell(drifts)
  const said = await project.cli(`rehearse ${words}`)
  return { ...said, asked: (await tell({})).length }
}

async function tell(drifts: Record<string, Drift>): Promise<object[]> {
  const answered = once(provider, 'message') as Promise<[object[]]>
  provider.send(drifts)
  return (await answered)[0]
}
