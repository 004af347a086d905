import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CassetteError } from '../../../src/errors.ts'
import { coded, expectGolden, failureOf } from '../../golden.ts'
import { mediaOf } from '../../media.ts'
import { cassetteOf, ReportProject, sourceOf, TURN } from './report-project.ts'

test('the index has a row for each cassette, with what it took', async () => {
  using project = new ReportProject()
  const { cassettes } = await project.write([
    sourceOf('b.test.ts/two-1.json', cassetteOf('b.test.ts > two')),
    sourceOf('a.test.ts/one-1.json', cassetteOf('a.test.ts > group > one', [TURN, TURN])),
  ])
  const { rows, files, models, made } = project.index
  expect(cassettes).toBe(2)
  expect(made).toBe('2026-01-02T03:04:05.000Z')
  expect(rows.map(({ title, file }) => [files[file], title])).toEqual([
    ['b.test.ts', 'two'],
    ['a.test.ts', 'group › one'],
  ])
  expect(rows[1]).toMatchObject({
    path: '__recordings__/a.test.ts/one-1.json',
    exchanges: 4,
    turns: 2,
    threads: 1,
    input: 400,
    output: 40,
    cost: expect.closeTo(0.0009),
    ms: 4_000,
    day: '2026-01-02',
  })
  expect(models).toMatchObject([{ name: 'gpt-5', exchanges: 6, input: 600 }])
})

test('the index holds no text that was said', async () => {
  using project = new ReportProject()
  await project.write([sourceOf('a.json', cassetteOf('a.test.ts > one'))])
  expect(project.text('data/index.js')).not.toContain('Saturn')
  expect(project.text('data/texts-0.js')).toContain('Saturn has 146 moons.')
})

test('a conversation has its exchanges with settings, messages, calls, results and answers', async () => {
  using project = new ReportProject()
  await project.write([sourceOf('a.json', cassetteOf('a.test.ts > one'))])
  const { threads, path } = project.cassette('one')
  expect(path).toBe('__recordings__/a.json')
  expect(threads).toMatchObject([
    {
      id: 'thread-1',
      model: 'gpt-5',
      exchanges: [
        {
          id: 'exchange-1',
          operation: 'openai · chat',
          method: 'POST',
          input: 100,
          output: 10,
          ms: 1_000,
          settings: { tools: [{ name: 'work' }] },
          entries: [
            { role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] },
            { role: 'user', parts: [{ type: 'text', text: TURN.question }] },
            {
              role: 'assistant',
              calls: [
                {
                  name: 'work',
                  brief: 'path: saturn',
                  parameters: '{\n  "path": "saturn"\n}',
                  result: [{ type: 'text', text: '{\n  "moons": 146\n}' }],
                },
              ],
            },
          ],
        },
        {
          id: 'exchange-2',
          entries: [{ role: 'assistant', parts: [{ type: 'text', text: TURN.answer }] }],
        },
      ],
    },
  ])
})

test('a stream has its own file, its events as they came', async () => {
  using project = new ReportProject()
  await project.write([
    sourceOf('a.json', cassetteOf('a.test.ts > streamed', [TURN], { stream: true })),
    sourceOf('b.json', cassetteOf('a.test.ts > plain')),
  ])
  const { rows } = project.index
  const [streamed, plain] = rows.map(({ id }) => id)
  const [, answer] = project.cassette('streamed').threads[0]!.exchanges
  const { exchanges } = project.read(`data/${streamed}-streams.js`) as {
    exchanges: Record<string, Array<{ data: string }>>
  }
  expect(exchanges['exchange-2']).toHaveLength(answer!.events)
  expect(exchanges['exchange-2']!.at(-1)).toEqual({ data: '[DONE]' })
  expect(exchanges['exchange-2']![0]!.data).toContain('"content":')
  expect(project.files('data')).not.toContain(`${plain}-streams.js`)
})

test('pictures are files, each once, and the one that changed knows the one before', async () => {
  using project = new ReportProject()
  const [one, other] = [4_000, 4_100].map((size) => mediaOf('png', size).toString('base64'))
  const turns = [one!, other!, other!].map((screenshot) => ({ ...TURN, screenshot }))
  await project.write([sourceOf('a.json', cassetteOf('a.test.ts > pictures', turns))])
  const { threads } = project.cassette('pictures')
  const files = threads[0]!.exchanges
    .flatMap(({ entries }) => entries.flatMap(({ parts }) => parts))
    .filter((part) => part.type === 'file')
  const [first, second] = project.files('blobs')
  expect(project.files('blobs')).toHaveLength(2)
  expect(files.map(({ file }) => file).toSorted()).toEqual([first, second, second].toSorted())
  expect(files.map(({ before }) => before)).toEqual([undefined, files[0]!.file, undefined])
})

test('a cassette that cannot be read is named, and the rest is shown', async () => {
  using project = new ReportProject()
  const broken = {
    path: '__recordings__/broken.json',
    read: () => {
      throw new CassetteError('invalid-cassette', 'The cassette broken.json cannot be read.\nMore')
    },
  }
  const { cassettes, unread } = await project.write([
    broken,
    sourceOf('a.json', cassetteOf('a.test.ts > one')),
  ])
  expect(cassettes).toBe(1)
  expect(unread).toEqual([
    { path: '__recordings__/broken.json', problem: 'The cassette broken.json cannot be read.' },
  ])
  expect(project.index.unread).toEqual(unread)
})

test('what no provider counted is not known, which is not nothing', async () => {
  using project = new ReportProject()
  const cassette = cassetteOf('a.test.ts > one')
  for (const { wire } of cassette.exchanges) {
    const { body } = wire!.response!
    if (body.kind === 'json') delete (body.value as Record<string, unknown>).usage
  }
  await project.write([sourceOf('a.json', cassette)])
  expect(project.index.rows[0]).toMatchObject({ input: null, output: null, cost: null })
})

test('another report takes the place of an earlier one, and leaves nothing of it', async () => {
  using project = new ReportProject()
  await project.write([sourceOf('a.json', cassetteOf('a.test.ts > one'))])
  const before = project.files('data')
  await project.write([sourceOf('b.json', cassetteOf('a.test.ts > two'))])
  expect(project.files('data')).toHaveLength(before.length)
  expect(project.index.rows.map(({ title }) => title)).toEqual(['two'])
  expect(project.text('.gitignore')).toBe('*\n')
})

test('a folder that holds anything else is left as it is', async () => {
  using project = new ReportProject()
  mkdirSync(project.folder)
  writeFileSync(join(project.folder, 'index.html'), '<h1>Mine</h1>')
  const write = (): Promise<unknown> => project.write([])
  await expectGolden(await failureOf(write), 'no-report', { [project.folder]: '<folder>' })
  expect(project.files('.')).toEqual(['index.html'])
})

test('a file of a report that is a link is not written through', async () => {
  using project = new ReportProject()
  const source = sourceOf('a.json', cassetteOf('a.test.ts > one'))
  await project.write([source])
  const mine = join(project.root, 'mine.txt')
  writeFileSync(mine, 'mine')
  for (const name of ['page.js', ...project.files('data').map((file) => `data/${file}`)]) {
    rmSync(join(project.folder, name))
    symlinkSync(mine, join(project.folder, name))
  }
  await project.write([source])
  expect(readFileSync(mine, 'utf8')).toBe('mine')
  expect(project.index.rows).toHaveLength(1)
})

test('a folder of a report that is a link is not written through', async () => {
  using project = new ReportProject()
  await project.write([])
  mkdirSync(join(project.root, 'elsewhere'))
  writeFileSync(join(project.root, 'elsewhere/mine.js'), '')
  rmSync(join(project.folder, 'data'), { recursive: true })
  symlinkSync(join(project.root, 'elsewhere'), join(project.folder, 'data'))
  await expect(project.write([])).rejects.toThrow(coded('invalid-cassette'))
  await expect(project.write([])).rejects.toThrow(join(project.folder, 'data'))
  expect(readdirSync(join(project.root, 'elsewhere'))).toEqual(['mine.js'])
})
