import { test } from 'vitest'
import { CassetteError, useCassette } from 'vitest-cassette'
import { openCassette } from 'vitest-cassette/open-cassette'

test('names what the package exports', () => {
  const count: number = useCassette({ unused: 'warn' }).exchanges.length
  const error: Error = new CassetteError('refused', String(count))
  // @ts-expect-error -- no number
  const close: number = openCassette({ path: error.message }).close()
  return close
})
