import { test } from 'vitest'

test.skip('does nothing', () => {})
