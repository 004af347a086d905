import { test as base } from 'vitest'
import { ask } from '../ask.ts'

const test = base.extend('persona', { scope: 'file' }, () => ask('persona'))

test('needs the fixture first', async ({ persona }) => void (await ask(`greet ${persona}`)))
test('needs the fixture later', async ({ persona }) => void (await ask(`part ${persona}`)))
