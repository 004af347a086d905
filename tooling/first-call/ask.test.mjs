import { test } from 'vitest'
import { ask } from './ask.mjs'

test('asks', ask)
