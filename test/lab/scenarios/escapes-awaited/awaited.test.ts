import { execFileSync } from 'node:child_process'
import { test } from 'vitest'

const host = new URL(process.env.ECHO_URL!).host
const child = new URL('child.mjs', import.meta.url).pathname

test('child process, awaited', () => {
  execFileSync(process.execPath, [child, host], { stdio: 'ignore' })
})

test('child of a child', () => {
  const program = `require('node:child_process').spawnSync(process.execPath, ${JSON.stringify([child, host])})`
  execFileSync(process.execPath, ['-e', program], { stdio: 'ignore' })
})
