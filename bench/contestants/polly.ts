import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import FetchAdapter from '@pollyjs/adapter-fetch'
import { Polly } from '@pollyjs/core'
import FSPersister from '@pollyjs/persister-fs'
import { globalFetch, recordingFetch, type Contestant, type Setting } from '../contestant.ts'
import floor from './floor.ts'

Polly.register(FetchAdapter)
Polly.register(FSPersister)

function openPolly({ folder }: Setting, mode: 'record' | 'replay'): Polly {
  return new Polly('polly', {
    mode,
    adapters: ['fetch'],
    adapterOptions: { fetch: { context: globalThis } },
    persister: 'fs',
    persisterOptions: { fs: { recordingsDir: folder } },
    recordIfMissing: false,
    logLevel: 'silent',
  })
}

export default {
  comparesPrompts: true,
  async prepare(setting, _exchanges, run) {
    floor.open(setting)
    const polly = openPolly(setting, 'record')
    await run(globalFetch())
    await polly.stop()
  },
  open(setting) {
    const polly = openPolly(setting, 'replay')
    return { ...globalFetch(), close: () => polly.stop() }
  },
  record(setting) {
    const polly = openPolly(setting, 'record')
    return { ...recordingFetch(setting), close: () => polly.stop() }
  },
  multiply({ folder }, names) {
    const [own] = readdirSync(folder)
    for (const name of names) {
      mkdirSync(join(folder, name))
      copyFileSync(join(folder, own!, 'recording.har'), join(folder, name, 'recording.har'))
    }
  },
} satisfies Contestant
