import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CassetteStore } from '../../src/cassette/disk/store.ts'
import { isRecorded } from '../../src/cassette/format/cassette.ts'
import { dialectOf } from '../../src/dialects/index.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { readHistory } from '../../src/files/read-history.ts'
import { historyOf } from '../../src/files/write-history.ts'
import { openExample } from '../engine/example-session.ts'
import { askWritten } from '../engine/written-file.ts'

const store = new CassetteStore('.', '__recordings__', 1e9)
const noFile = (name: string): Buffer => readFileSync(`__recordings__/blobs/${name}`)

test.each(store.list())('%s is a history, and what words can say comes back', (path) => {
  const cassette = store.load(path)!
  const { history, left } = historyOf(cassette)
  const said = cassette.exchanges.filter(({ id }) => !left.includes(id))
  expect(history.exchanges.map(({ id }) => id)).toEqual(said.map(({ id }) => id))
  if (said.length === 0) return
  const { cassette: back, notes } = readHistory(JSON.stringify(history), noFile)
  expect(notes).toEqual([])
  const session = openExample(back, { unordered: true })
  for (const { id, wire } of said) {
    if (!isRecorded({ wire } as never)) continue
    const answer = askWritten(session, readIncoming(wire!.request))
    const recorded = dialectOf(wire!.request).readCompletion(wire!.response!)
    expect(answer, id).toBeDefined()
    expect([answer!.text, answer!.toolCalls.map(({ name }) => name), answer!.error], id).toEqual([
      recorded.text,
      recorded.toolCalls.map(({ name }) => name),
      recorded.error,
    ])
  }
})
