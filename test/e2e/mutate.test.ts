import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { startUpstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

interface Report {
  percent: number
  left: number
  score: { mutants: number; assertion: number; requests: number; survived: number }
  tests: Array<{
    title: string
    leftOut?: string
    mutants: Array<{ exchange: string; what: string; fate: string }>
  }>
}

let project: VitestProject
let report: Report

const mutate = (words: string, where: VitestProject = project): Promise<Run> =>
  where.cli(`mutate ${words}`)

async function judge(words = '', where: VitestProject = project): Promise<Report> {
  const { exitCode, output } = await mutate(`--json ${words}`, where)
  expect(exitCode, output).toBe(0)
  return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
}

beforeAll(async () => {
  const upstream = await startUpstream()
  const provider = await startAnnotating(upstream.url)
  const { port } = provider.address() as AddressInfo
  project = new VitestProject('mutate', { UPSTREAM_URL: `http://127.0.0.1:${port}` })
  const recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  provider.close()
  await upstream.stop()
  report = await judge()
})

/** Adds to each message the field that OpenAI adds to all, and that no other provider has. */
async function startAnnotating(url: string): Promise<Server> {
  const server = createServer(async (question, response) => {
    const asked = { method: 'POST', body: await text(question) }
    const answer = await fetch(url + question.url, asked)
    const type = answer.headers.get('content-type')!
    const body = await answer.text()
    response.setHeader('content-type', type)
    response.end(body.replace('"role":"assistant"', '"role":"assistant","annotations":[]'))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

const fatesOf = (title: string, fate: string): string[] =>
  report.tests
    .find((one) => one.title === title)!
    .mutants.filter((mutant) => mutant.fate === fate)
    .map(({ exchange, what }) => `${exchange}: ${what}`)

describe('the planted gaps are found, and nothing else', () => {
  test.each([
    ['reserves what was asked for', 0],
    ['reserves for all, whenever', 3],
    ['says good morning', 0],
    ['says something', 3],
    ['reads what it is told', 2],
  ])('%s: %i', (title, gaps) => expect(fatesOf(title, 'survived')).toHaveLength(gaps))

  test('each is named by its answer, and by what was changed in it', async () => {
    const titles = report.tests.map(({ title }) => title).toSorted()
    const gaps = titles.map((title) =>
      [title, ...fatesOf(title, 'survived').toSorted()].join('\n  '),
    )
    await expectGolden(gaps.join('\n'), 'gaps')
  })

  test('what a test of the same file notices counts for the answer that was changed, and for no other', () => {
    expect(fatesOf('writes it down', 'survived')).toEqual([])
    expect(fatesOf('reads what another test wrote', 'survived')).toEqual(
      fatesOf('says something', 'survived'),
    )
  })

  test('what the application asks next is told apart from an assertion', () => {
    const { length } = fatesOf('says what it was told', 'requests')
    expect(length).toBeGreaterThan(2)
    expect(fatesOf('says what it was told', 'requests')).toContain('exchange-1: it refuses')
    expect(fatesOf('says what it was told', 'assertion')).toContain('exchange-2: it refuses')
  })

  test('an answer that is sent back is written as its provider wrote it, but for the change', () => {
    const sent = report.tests.find((one) => one.title === 'sends the answer back')!
    expect(sent).not.toHaveProperty('leftOut')
    expect(fatesOf('sends the answer back', 'requests')).toContainEqual(
      expect.stringMatching(/^exchange-1: .*\breserve\b.* "day"$/),
    )
  })

  test('tests that ask no model are none of its business', () => {
    const titles = report.tests.map(({ title }) => title)
    expect(titles).toContain('sends the answer back')
    expect(titles).not.toContain('asks no model')
  })
})

test('the score is the same again, at once where nothing changed, and no cassette is touched', async () => {
  const before = project.contents()
  const byTitle = ({ tests, ...rest }: Report): unknown => ({
    ...rest,
    tests: tests.map(({ mutants, ...one }) => ({ ...one, mutants: new Set(mutants) })),
  })
  expect(byTitle(await judge('--time-limit 0'))).toEqual(byTitle(report))
  expect(project.contents()).toEqual(before)
})

test('a test that changed, or what it loads, is tried again, within its time', async () => {
  const own = new VitestProject(project.dir)
  own.edit('talk.test.ts', "'Good night'", "'Good ' + 'night'")
  const { left, score } = await judge('talk --time-limit 0', own)
  expect(score.mutants).toBe(0)
  expect(left).toBeGreaterThan(10)
  expect(await judge('waiter --time-limit 0', own)).toMatchObject({ left: 0 })
  own.edit('waiter.ts', 'One table', 'A table')
  expect((await judge('waiter --time-limit 0', own)).left).toBeGreaterThan(10)
  const some = await judge('talk --max 2 --seed one', own)
  expect(some.score.mutants).toBe(8)
  expect(await judge('talk --max 2 --seed one --again', own)).toEqual(some)
})

test('what is not noticed is printed with its line, and a lower score than asked for is a failure', async () => {
  const run = await mutate('waiter --min 90')
  expect(run.exitCode).toBe(1)
  expect(run.output).toMatch(/reserves for all, whenever {2}waiter\.test\.ts:8\n {2}not noticed/)
  expect(run.output).toMatch(/^\d+ % .* --min .* 90 %\.$/m)
  const markdown = await mutate('waiter --format markdown')
  expect(markdown.output).toContain('| waiter.test.ts:8 | reserves for all, whenever | exchange-1:')
})

test('a ref that git does not know, a number that is none and a project without models are said plainly', async () => {
  const unknown = await mutate('--since no-such-branch')
  expect(unknown.exitCode).toBe(2)
  expect(unknown.output).toContain('"no-such-branch"')
  expect((await mutate('--max many')).output).toContain('--max takes a number, not "many"')
  const none = await mutate('waiter -t "asks no model"')
  expect(none.exitCode).toBe(1)
  await expectGolden(none.output.trimEnd().split('\n').at(-1)!, 'no-model')
})
