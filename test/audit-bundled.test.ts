import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { needs } from './needs.ts'

const script = fileURLToPath(new URL('../tooling/audit-bundled.ts', import.meta.url))

/** What the script says if npm answers its audit like this. */
function auditOf(answer: string): { status: number | null; stderr: string } {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'))
  try {
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\ncat <<'END'\n${answer}\nEND\nexit 1\n`)
    chmodSync(join(folder, 'npm'), 0o755)
    const PATH = folder + delimiter + process.env.PATH
    return spawnSync(process.execPath, [script], { env: { PATH }, encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function vulnerable(name: string, node: string, via: unknown): string {
  return JSON.stringify({ vulnerabilities: { [name]: { nodes: [node], via: [via] } } })
}

const TITLE = { title: 'Reads too much' }

test.each([
  ['of what is built in', vulnerable('cookie', 'node_modules/cookie', TITLE), 1],
  ['of what that one uses', vulnerable('msw', 'node_modules/msw', 'yargs'), 0],
  ['of another copy', vulnerable('cookie', 'node_modules/a/node_modules/cookie', TITLE), 0],
  ['of a tool', vulnerable('mocha', 'node_modules/mocha', TITLE), 0],
])('a release asks for vulnerabilities: one %s', needs('unix'), (_, answer, status) => {
  const told = auditOf(answer)
  expect(told.status, told.stderr).toBe(status)
  expect(told.stderr.includes('cookie: Reads too much')).toBe(status === 1)
})

test('no answer is no yes', needs('unix'), () => {
  const { status, stderr } = auditOf('{ "statusCode": 405 }')
  expect(status).toBe(1)
  expect(stderr).toContain('npm audit has no answer')
})
