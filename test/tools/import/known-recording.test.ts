import { expect, test } from 'vitest'
import { readForeign } from '../../../src/tools/import/files.ts'
import { PART_BYTES } from '../../../src/tools/import/known-recording.ts'
import { foreignFolder, received } from './foreign-folder.ts'
import { CHAT, harEntry } from './samples.ts'

const words = 'Some words. '.repeat(100_000)

const HAR = {
  log: {
    entries: [1, 2, 3, 4, 5, 6].map((at) => harEntry(CHAT, `Q${at}`, `A${at} ${words}`)),
    _recordingName: 'a test',
  },
}

const NOCK = [1, 2, 3, 4, 5, 6].map((at) => ({
  scope: 'https://api.openai.com:443',
  method: 'POST',
  path: '/v1/chat/completions',
  body: { model: 'gpt-5', messages: [{ role: 'user', content: `Q${at}` }] },
  status: 200,
  response: { choices: [{ message: { content: `A${at} ${words}` } }] },
}))

test.for([
  ['a.har', HAR],
  ['a.json', NOCK],
] as const)('%s that is large has parts, which are read in any order', ([name, content]) => {
  const folder = foreignFolder({ [name]: content })
  const { recordings } = readForeign([name], { cwd: folder.path })
  expect(recordings.map(({ part }) => part)).toEqual([0, 1])
  expect(new Set(recordings.map(({ name }) => name))).toHaveLength(1)
  for (const { size } of recordings) expect(size).toBeLessThan(PART_BYTES + 2_000_000)
  const said = (part: number): string[] =>
    recordings[part]!.exchanges().map((one) => /A\d/.exec(received(one))![0])
  expect(said(1)).toEqual(['A5', 'A6'])
  expect([...said(0), ...said(1)]).toEqual(['A1', 'A2', 'A3', 'A4', 'A5', 'A6'])
  expect(said(0)).toHaveLength(recordings[0]!.calls.length)
})

test('small files are read once', () => {
  const folder = foreignFolder({ 'a.har': { log: { entries: [harEntry(CHAT, 'Hi', 'Ho')] } } })
  const { recordings } = readForeign(['.'], { cwd: folder.path })
  const [recording] = recordings
  folder.remove()
  expect(recording!.exchanges()).toBe(recording!.exchanges())
})
