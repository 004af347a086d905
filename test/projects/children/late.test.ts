// Nobody waits for this child, which asks when its test has ended.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, test } from 'vitest'

const child = fileURLToPath(new URL('./child.mjs', import.meta.url))
let ended: Promise<unknown> | undefined

test('starts a child', () => {
  const { LATE, ...env } = process.env
  if (!LATE) return
  const started = spawn('sh', ['-c', `sleep 0.5; node '${child}' fetch Late`], { env })
  ended = once(started, 'exit')
})

afterAll(() => ended)
