import { test as base } from 'vitest'
import { ask } from '../ask.ts'

const test = base.extend('persona', { scope: 'file' }, () => ask('persona'))

test.beforeAll(({ persona }) => void persona)
test('greets after a hook', async ({ persona }) => void (await ask(`greet ${persona}`)))
test('parts after a hook', async ({ persona }) => void (await ask(`part ${persona}`)))
