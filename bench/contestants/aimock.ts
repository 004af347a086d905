import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import type { Contestant, Opened, Setting } from '../contestant.ts'
import type { Exchange } from '../exchanges.ts'

/** A fixture that matches the last message of the user alone, not the rest of the prompt. */
function fixtureOf({ prompt, text }: Exchange): object {
  const { content } = prompt.messages.at(-1)!
  const asked = typeof content === 'string' ? content : (content as [{ text: string }])[0].text
  return { match: { userMessage: asked }, response: { content: text } }
}

async function start(mock: LLMock): Promise<Opened> {
  return {
    fetch: globalThis.fetch,
    baseUrl: `${await mock.start()}/v1`,
    close: () => mock.stop(),
  }
}

export default {
  prepare({ folder }, exchanges) {
    const fixtures = exchanges.map(fixtureOf)
    writeFileSync(join(folder, 'aimock.json'), JSON.stringify({ fixtures }))
  },
  open({ folder }) {
    const mock = new LLMock({ port: 0 })
    mock.loadFixtureDir(folder)
    return start(mock)
  },
  record({ folder, upstream }: Setting) {
    mkdirSync(folder, { recursive: true })
    const record = { providers: { openai: upstream! }, fixturePath: folder }
    return start(new LLMock({ port: 0, record }))
  },
  multiply({ folder }, names) {
    for (const name of names) {
      const fixture = {
        match: { userMessage: `${name} of another test` },
        response: { content: name },
      }
      writeFileSync(join(folder, `z-${name}.json`), JSON.stringify({ fixtures: [fixture] }))
    }
  },
} satisfies Contestant
