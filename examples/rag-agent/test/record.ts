// Records the cassettes from stand-ins, in a process beside that of the tests. To record from the services
// themselves, remove `env` from vitest.config.ts, put their hosts into `hosts`, and run: npx vitest-cassette record
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startStandIns } from './stand-ins.ts'

const standIns = await startStandIns(4020)
const env = { ...process.env, RECORD: '1', OPENAI_API_KEY: 'the stand-in wants none' }
const vitest = spawn('npx', ['vitest', 'run', ...process.argv.slice(2)], { env, stdio: 'inherit' })
const [exitCode] = await once(vitest, 'exit')
await standIns.stop()
process.exitCode = exitCode
