// Dies in the middle of a recording.
import { test } from 'vitest'
import { call, connect } from './clients.ts'

test.runIf(process.env.KILL)('a recording that is killed', async () => {
  const client = await connect('stdio')
  await call(client, 'get_forecast', { city: 'Rome' })
  process.kill(process.pid, 'SIGKILL')
  await call(client, 'get_forecast', { city: 'Oslo' })
  await client.close()
})
