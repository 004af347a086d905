import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CassetteStore } from '../../src/cassette/store.ts'
import { isRecorded } from '../../src/cassette/cassette.ts'
import { dialectOf } from '../../src/providers/dialects.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { readHistory } from '../../src/histories/open-file.ts'
import { historyOf } from '../../src/histories/write-history.ts'
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
  for (const exchange of said.filter(isRecorded)) {
    const { id, wire } = exchange
    const answer = askWritten(session, readIncoming(wire.request))
    const recorded = dialectOf(wire.request).readCompletion(wire.response)
    expect(answer, id).toBeDefined()
    expect([answer!.text, answer!.toolCalls.map(({ name }) => name), answer!.error], id).toEqual([
      recorded.text,
      recorded.toolCalls.map(({ name }) => name),
      recorded.error,
    ])
  }
})
