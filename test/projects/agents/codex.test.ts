import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { codexConfig } from 'vitest-cassette'

const { AGENTS = '', CHANGED = '', RULE = '', PAST } = process.env
const sdk = join(AGENTS, 'node_modules/@openai/codex-sdk/dist/index.js')

test('the Codex SDK', async ({ cassette }) => {
  const { Codex } = await import(pathToFileURL(sdk).href)
  const home = mkdtempSync(join(tmpdir(), 'codex-'))
  // It takes the place of this process's.
  const env = { PATH: process.env.PATH!, HOME: home, CODEX_HOME: home }
  const codex = new Codex({
    apiKey: 'sk-any',
    env,
    config: { ...(PAST ? {} : codexConfig(cassette)), developer_instructions: `Be brief.${RULE}` },
  })
  const thread = codex.startThread({
    workingDirectory: home,
    skipGitRepoCheck: true,
    model: 'gpt-5',
  })
  const signal = AbortSignal.timeout(PAST ? 5_000 : 50_000)
  const turn = await thread.run(`Say hello${CHANGED}`, { signal })
  expect(turn.finalResponse).toContain('You said')
})
