import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { needs } from '../needs.ts'

// The other tests of a run with a cut network show that they need none. This one shows that it was cut.
test('no other machine can be reached', needs('cut-network'), async () => {
  await expect(once(connect(443, '192.0.2.1'), 'connect')).rejects.toThrow('ENETUNREACH')
})
