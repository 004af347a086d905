import { beforeEach } from 'vitest'
import { ask } from '../ask.ts'

await ask('set-up file')
beforeEach(() => ask('hook of a set-up file').then(() => {}))
