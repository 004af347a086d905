import { expect, test } from 'vitest'
import { addToStatistics } from '../../../src/features/run-statistics.ts'
import { screenshot } from '../../engine/screens.ts'
import { cassette, show } from '../../pictures/shown-pictures.ts'
import { CliProject } from '../run-cli.ts'

const PATH = 'a.test.ts/asks-0123456789.json'
const NOW = new Date('2026-02-03T04:05:06.000Z')

const FAILED = {
  cassette: `__recordings__/${PATH}`,
  recording: '2026-01-01T00:00:00.000Z',
  passed: false,
  reason: 'The prompt changed: message 1 (user): text edited',
  invalid: ['age: recorded 33 days ago, on 2026-01-01; the limit is 30'],
}

async function openProject(): Promise<CliProject> {
  const project = new CliProject()
  await project.save(PATH, cassette([show(await screenshot(), 'Order a lamp.')]))
  return project
}

test('a cassette that no run is known of says its goal and what its pictures look like', async () => {
  using project = await openProject()
  const [told] = JSON.parse((await project.run('show', '--json')).out)
  expect(told).toMatchObject({ goal: 'Order a lamp.', valid: true, invalid: [] })
  expect(told).not.toHaveProperty('runs')
  expect(told.pictures).toEqual([
    {
      file: expect.stringMatching(/^blobs\/\w{64}\.png$/),
      phash: expect.stringMatching(/^[\da-f]{16}$/),
      ahash: expect.stringMatching(/^[\da-f]{16}$/),
    },
  ])
  expect((await project.run('show')).out).not.toMatch(/used|attempts|invalid/)
})

test('data say a goal of several lines as it was said, and tables on one line', async () => {
  using project = new CliProject()
  await project.save(PATH, cassette([show(await screenshot(), 'Order a lamp.\nAnd a bulb.')]))
  const [told] = JSON.parse((await project.run('show', '--json')).out)
  expect(told.goal).toBe('Order a lamp.\nAnd a bulb.')
  expect((await project.run('show', '--summary')).out).toContain('Order a lamp.\\nAnd a bulb.')
})

test('attempts, failures with their reasons, last use and validity are in list, in show and in data', async () => {
  using project = await openProject()
  await addToStatistics(project.root, [FAILED, FAILED], NOW)
  await project.run('invalidate', PATH, '--reason', 'the shop has another page')
  const list = await project.run('show')
  expect(list.out).toMatch(/recorded +used +attempts +failed\n/)
  expect(list.out).toMatch(/2026-02-03 +2 +2\n/)
  expect(list.out).toMatch(/json is invalid: mark: .*another page\n.* age: rec/)
  const runs = {
    attempts: 2,
    failures: 2,
    failuresInARow: 2,
    lastUsed: NOW.toISOString(),
    lastFailures: [FAILED, FAILED].map(({ reason }) => ({ at: NOW.toISOString(), reason })),
  }
  for (const words of [
    ['show', '--json'],
    ['show', '--format', 'json'],
  ]) {
    const data = JSON.parse((await project.run(...words)).out)
    const [told] = [data].flat()
    expect(told).toMatchObject({ goal: 'Order a lamp.', runs, valid: false })
    expect(told.invalid).toEqual([
      expect.stringMatching(/^mark: .*another page/),
      ...FAILED.invalid,
    ])
    expect(told.pictures).toHaveLength(1)
  }
  for (const words of [
    ['show', '--full'],
    ['show', '--summary'],
  ]) {
    const { out } = await project.run(...words)
    expect(out).toContain(
      'runs      2 attempts, 2 failed, 2 in a row, last used 2026-02-03T04:05:06',
    )
    expect(out).toContain('failed    2026-02-03T04:05:06.000Z The prompt changed: message 1')
    expect(out).toContain('invalid   age: recorded 33 days ago')
    expect(out).toMatch(/picture +blobs\/\w+\.png, phash [\da-f]{16}/)
  }
})

test('what runs made of another recording of the test is not said of this one', async () => {
  using project = await openProject()
  await addToStatistics(project.root, [{ ...FAILED, recording: NOW.toISOString() }], NOW)
  expect((await project.run('show', '--format', 'transcript')).out).not.toMatch(/runs|failed/)
})
