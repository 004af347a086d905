import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { test } from 'vitest'

test('asks no model', () => {
  const print = 'process.stdout.write(String(process.env.NODE_COMPILE_CACHE))'
  const ofChild = execFileSync(process.execPath, ['-e', print], { encoding: 'utf8' })
  const seen = { dir: getCompileCacheDir() ?? '', own: process.env.NODE_COMPILE_CACHE, ofChild }
  writeFileSync('seen.json', JSON.stringify(seen))
})
