import { test } from 'vitest'
import { keep } from '../keep.ts'

test('has so many milliseconds', ({ task }) => keep('timeout', task.timeout))
