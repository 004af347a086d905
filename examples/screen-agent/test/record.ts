// Records the cassettes from a stand-in for Anthropic, a process beside that of the tests. To record from
// Anthropic itself, remove `env` from vitest.config.ts and run: npx vitest-cassette record
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const standIn = spawn(process.execPath, [
  fileURLToPath(new URL('stand-in.ts', import.meta.url)),
  '4011',
])
await once(standIn.stdout, 'data')
const env = { RECORD: '1', ...process.env, ANTHROPIC_API_KEY: 'the stand-in wants none' }
const vitest = spawn('npx', ['vitest', 'run', ...process.argv.slice(2)], { env, stdio: 'inherit' })
const [exitCode] = await once(vitest, 'exit')
standIn.kill()
process.exitCode = exitCode
