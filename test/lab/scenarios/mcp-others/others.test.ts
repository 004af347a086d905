// What the option does not name, and what is no server.
import { execFile, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { call, connect } from '../mcp/clients.ts'

const servers = `${import.meta.dirname}/servers`
const report = `${servers}/almanac-report.mjs`

test('a server that no name stands for is real', async () => {
  const client = await connect('stdio', 'notes', {}, servers)
  expect(await call(client, 'more')).toBe('1')
  await client.close()
})

test('a program that is no server is the program', async () => {
  const child = spawn(process.execPath, [report])
  child.stdin.write('one\ntwo\n')
  child.stdin.end('three')
  expect(await text(child.stdout)).toBe('13 bytes of almanac')
  const run = promisify(execFile)(process.execPath, [report])
  run.child.stdin!.end()
  expect((await run).stdout).toBe('0 bytes of almanac')
})

test('a program that nobody speaks to is started, too', async () => {
  const asked = promisify(execFile)(process.execPath, ['-p', '"almanac".length'])
  expect((await asked).stdout).toBe('7\n')
})

test('a program that is not there', async () => {
  const child = spawn('almanac-that-is-not-there')
  child.stdin.on('error', () => {})
  const failed = new Promise<NodeJS.ErrnoException>((resolve) => child.on('error', resolve))
  child.stdin.write('hello\n')
  expect((await failed).code).toBe('ENOENT')
})
