// Programs for which their tests wait, and whose errors nobody sees.
import { execFileSync, execSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('by its base URL', () => {
  // A recording lends no key.
  const env = { ...process.env, OPENAI_API_KEY: 'any' }
  const { stdout } = spawnSync('python3', ['child.py', 'Waited'], { encoding: 'utf8', env })
  expect(stdout).toContain('[vitest-cassette] A request to')
})

test('by the name of the provider', () => {
  const ask = `import urllib.request
try: urllib.request.urlopen('https://api.openai.com/v1/chat/completions', b'{}')
except Exception as error: print(error)`
  expect(execFileSync('python3', ['-c', ask], { encoding: 'utf8' })).toContain('403')
})

test('by the name of a provider without TLS', () => {
  const ask = `import urllib.request
try: urllib.request.urlopen('http://api.openai.com/v1/chat/completions', b'{}')
except Exception as error: print(error)`
  expect(execSync(`python3 -c "${ask}"`, { encoding: 'utf8' })).toContain('400')
})

test('nothing', () => {
  expect(execSync('echo done', { encoding: 'utf8' })).toBe('done\n')
})
