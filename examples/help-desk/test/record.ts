// Records the cassettes from a stand-in for OpenAI and Anthropic, in a process beside those of the tests. To record
// from themselves, leave STAND_IN out of both configs and run: npx vitest-cassette record; RECORD=1 npx playwright test
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startStandIn } from './stand-in.ts'

const standIn = await startStandIn()
const KEY = 'the stand-in wants none'
const env = { ...process.env, RECORD: '1', OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY }
for (const words of ['vitest run', 'playwright test']) {
  const run = spawn('npx', words.split(' '), { env, stdio: 'inherit' })
  const [exitCode] = await once(run, 'exit')
  process.exitCode ||= exitCode
}
await standIn.stop()
