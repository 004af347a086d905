import { test } from 'vitest-cassette/node-test'
import { ask } from './app.mjs'

test('the same name', () => ask('first'))
test('the same name', () => ask('second'))
