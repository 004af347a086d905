import { test } from 'vitest'
import { ask } from '../ask.ts'

test('is gone later', async () => void (await ask('gone')))
