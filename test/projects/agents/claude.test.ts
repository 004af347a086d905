import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const { AGENTS = '', CHANGED = '', RULE = '' } = process.env
const sdk = join(AGENTS, 'node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs')

test('the Claude Agent SDK', async () => {
  const { query } = await import(pathToFileURL(sdk).href)
  const cwd = mkdtempSync(join(tmpdir(), 'claude-'))
  const env = { ...process.env, CLAUDE_CONFIG_DIR: cwd, ANTHROPIC_API_KEY: 'sk-ant-any' }
  const systemPrompt = `Be brief.${RULE}`
  const options = { env, cwd, systemPrompt, tools: [], settingSources: [] }
  let result: { result?: string } = {}
  for await (const message of query({ prompt: `Say hello${CHANGED}`, options })) result = message
  expect(result.result).toContain('You said')
})
