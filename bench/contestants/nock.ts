import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import nock from 'nock'
import {
  eventsOf,
  globalFetch,
  readAnswers,
  recordingFetch,
  type Contestant,
} from '../contestant.ts'

export default {
  comparesPrompts: true,
  open(setting) {
    nock.disableNetConnect()
    for (const { prompt, answer, type } of readAnswers(setting)) {
      const asked = nock('https://api.openai.com').post('/v1/chat/completions', JSON.parse(prompt))
      const headers = { 'content-type': type }
      if (type === 'application/json') asked.reply(200, answer, headers)
      else asked.reply(200, () => Readable.from(eventsOf(answer)), headers)
    }
    return { ...globalFetch(), close: () => nock.cleanAll() }
  },
  record(setting) {
    nock.recorder.rec({ dont_print: true, output_objects: true })
    const write = (): void =>
      writeFileSync(join(setting.folder, 'nock.json'), JSON.stringify(nock.recorder.play()))
    return { ...recordingFetch(setting), close: write }
  },
} satisfies Contestant
