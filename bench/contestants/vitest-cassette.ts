import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCassette } from '../../dist/open-cassette.mjs'
import { globalFetch, PROVIDER, recordingFetch, type Contestant } from '../contestant.ts'

const NAME = 'cassette.json'

export default {
  comparesPrompts: true,
  async prepare({ folder }, exchanges) {
    // Imported here, so that the measured processes do not load it.
    const { saveExchanges } = await import('../save-exchanges.ts')
    await saveExchanges(folder, NAME, `${PROVIDER}/chat/completions`, exchanges)
  },
  open({ folder }) {
    const cassette = openCassette({ path: join(folder, NAME), unused: 'warn' })
    return { ...globalFetch(), close: () => cassette.close() }
  },
  record(setting) {
    const cassette = openCassette({
      path: join(setting.folder, NAME),
      mode: 'all',
      hosts: [new URL(setting.upstream!).host],
    })
    return { ...recordingFetch(setting), close: () => cassette.close() }
  },
  multiply({ folder }, names) {
    for (const name of names) copyFileSync(join(folder, NAME), join(folder, `${name}.json`))
  },
} satisfies Contestant
