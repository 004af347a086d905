import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { ReportIndex } from '../../../src/tools/page/data/report-data.ts'
import { expectGolden } from '../../golden.ts'
import { cassetteOf } from '../page/report-project.ts'
import { CliProject } from '../run-cli.ts'

function indexOf({ root }: CliProject, folder: string): ReportIndex {
  let index: unknown
  const receiveReport = (_: string, value: unknown): void => void (index = value)
  runInNewContext(readFileSync(join(root, folder, 'data/index.js'), 'utf8'), { receiveReport })
  return index as ReportIndex
}

test('report writes one page with each cassette, and says where', async () => {
  using project = new CliProject()
  await project.save('a.test.ts/one-0123456789.json', cassetteOf('a.test.ts > one'))
  await project.save('a.test.ts/_file.json', cassetteOf('a.test.ts'))
  const { code, out, problems } = await project.run('show', '--html')
  expect([code, out, problems]).toEqual([0, 'cassette-report/index.html  2 cassettes\n', ''])
  expect(indexOf(project, 'cassette-report').rows).toMatchObject([
    { title: 'outside of tests', path: '__recordings__/a.test.ts/_file.json' },
    { title: 'one', path: '__recordings__/a.test.ts/one-0123456789.json' },
  ])
  expect(existsSync(join(project.root, 'cassette-report/page.js'))).toBe(true)
})

test('the cassettes of several projects are kept apart', async () => {
  using project = new CliProject()
  for (const name of ['one', 'other']) {
    const folder = join(project.root, 'packages', name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name }))
    await project.saveIn(`packages/${name}/__recordings__`, 'a.json', cassetteOf('a.test.ts > a'))
  }
  await project.run('show', '--html', 'out')
  const { files, rows } = indexOf(project, 'out')
  expect(files).toEqual(['|one| a.test.ts', '|other| a.test.ts'])
  expect(new Set(rows.map(({ id }) => id)).size).toBe(2)
})

test('a cassette that cannot be read is named, the rest is written, and the command ends with 1', async () => {
  using project = new CliProject()
  await project.save('a.json', cassetteOf('a.test.ts > one'))
  writeFileSync(join(project.root, '__recordings__/b.json'), '{ "version": ')
  const { code, out, problems } = await project.run('show', '--html')
  expect([code, out]).toEqual([1, 'cassette-report/index.html  1 cassette\n'])
  expect(problems).toContain(' __recordings__/b.json ')
  expect(problems).not.toContain('__recordings__/a.json')
})

test('prices of your own count', async () => {
  using project = new CliProject()
  await project.save('a.json', cassetteOf('a.test.ts > one'))
  const price = { 'gpt-5': { input: 10_000, output: 0 } }
  writeFileSync(join(project.root, 'prices.json'), JSON.stringify(price))
  await project.run('show', '--html', '--prices', 'prices.json')
  expect(indexOf(project, 'cassette-report').rows[0]!.cost).toBe(2)
})

test('without cassettes there is no report', async () => {
  using project = new CliProject()
  const { code, problems } = await project.run('show', '--html')
  expect(code).toBe(2)
  await expectGolden(problems, 'no-cassette')
  expect(existsSync(join(project.root, 'cassette-report'))).toBe(false)
})

test('report takes no names of cassettes', async () => {
  using project = new CliProject()
  await project.save('a.json', cassetteOf('a.test.ts > one'))
  const { code, problems } = await project.run('show', '--html', 'page', 'a.test.ts')
  expect(code).toBe(2)
  await expectGolden(problems, 'takes-no-names')
})

test('report writes into no folder that holds anything else', async () => {
  using project = new CliProject()
  await project.save('a.json', cassetteOf('a.test.ts > one'))
  const { code, problems } = await project.run('show', '--html', '__recordings__')
  expect(code).toBe(2)
  expect(problems).toContain('__recordings__')
  expect(readdirSync(join(project.root, '__recordings__'))).toEqual(['a.json'])
})
