// Records the cassettes of `__recordings__` afresh, in the format of this release: npm run record
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { FORMAT_VERSION } from '../../src/cassette/format.ts'
import { startUpstream } from '../upstream/start-upstream.ts'
import { PORTS } from './addresses.ts'

const upstream = await startUpstream(PORTS)
// Those of older formats stay as they were written.
const file = `test/recordings/format-${FORMAT_VERSION}.test.ts`
const vitest = spawn('npx', ['vitest', 'run', file, '--project', 'recordings', '-u'], {
  env: { ...process.env, RECORD: 'all-bytes' },
  stdio: 'inherit',
})
const [exitCode] = await once(vitest, 'exit')
await upstream.stop()
process.exitCode = exitCode as number
