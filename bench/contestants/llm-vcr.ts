import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withCassette } from 'llm-vcr'
import { hashRequest } from 'llm-vcr/dist/hash.js'
import { globalFetch, recordingFetch, type Contestant, type Setting } from '../contestant.ts'
import { PROVIDER, type Exchange } from '../exchanges.ts'

/** Writes the cassette that a recording of these exchanges would have written. */
export function saveVcr(folder: string, name: string, exchanges: readonly Exchange[]): void {
  const recordedAt = '2026-01-02T03:04:05.000Z'
  const entries = exchanges.map(({ prompt, answer, type }) => ({
    request: {
      provider: 'openai',
      url: `${PROVIDER}/chat/completions`,
      method: 'POST',
      headers: {},
      body: prompt,
    },
    response: {
      status: 200,
      headers: { 'content-type': type },
      body: type === 'application/json' ? (JSON.parse(answer) as unknown) : answer,
    },
    metadata: { recordedAt, durationMs: 1_000, requestHash: hashRequest({ ...prompt }) },
  }))
  const cassette = { version: 1, name, recordedAt, entries }
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(cassette, null, 2))
}

/** Opens a cassette, and returns a function that closes it. */
function openVcr({ folder }: Setting, mode: 'replay' | 'record'): () => Promise<unknown> {
  const config = { cassettesDir: folder, mode }
  const { promise, resolve } = Promise.withResolvers<void>()
  const ended = withCassette('cassette', () => promise, { config })
  return () => {
    resolve()
    return ended
  }
}

export default {
  comparesPrompts: true,
  prepare: ({ folder }, exchanges) => saveVcr(folder, 'cassette', exchanges),
  open(setting) {
    const close = openVcr(setting, 'replay')
    return { ...globalFetch(), close }
  },
  record(setting) {
    const close = openVcr(setting, 'record')
    return { ...recordingFetch(setting), close }
  },
  multiply({ folder }, names) {
    for (const name of names)
      copyFileSync(join(folder, 'cassette.json'), join(folder, `${name}.json`))
  },
} satisfies Contestant
