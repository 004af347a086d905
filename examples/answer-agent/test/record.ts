// Records the cassettes from a stand-in for OpenAI, in a process beside that of the tests. To record
// from OpenAI itself, remove `env` from vitest.config.ts and run: npx vitest-cassette record
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startStandIn } from './stand-in.ts'

const standIn = await startStandIn(4010)
const env = { ...process.env, RECORD: '1', OPENAI_API_KEY: 'the stand-in wants none' }
const vitest = spawn('npx', ['vitest', 'run', ...process.argv.slice(2)], { env, stdio: 'inherit' })
const [exitCode] = await once(vitest, 'exit')
await standIn.stop()
process.exitCode = exitCode
