import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { guardOfPython, PYTHON_FOLDER } from '../../src/transports/child-environment.ts'
import { needs } from '../needs.ts'

const run = promisify(execFile)

describe('the guard of Python', needs('python3'), () => {
  let gateway: Server
  let base: string
  const asked: string[] = []
  const python = async (args: string[], env: Record<string, string> = {}): Promise<string> => {
    const given = { ...guardOfPython(env, base), PYTHONDONTWRITEBYTECODE: '1' }
    const ended = await run('python3', args, { env: { PATH: process.env.PATH, ...env, ...given } })
    return ended.stdout + ended.stderr
  }
  const CONNECT = `
import socket
try: socket.create_connection(("llm.invalid", 443))
except OSError as error: print(type(error).__name__, error)`

  beforeAll(async () => {
    gateway = createServer(({ url }, response) => {
      asked.push(new URL(url!, 'http://localhost').searchParams.get('host')!)
      response.writeHead(403).end('why not: ü')
    })
    await once(gateway.listen(0, '127.0.0.1'), 'listening')
    base = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/token`
  })
  afterAll(() => void gateway.close())

  test('stops what the gateway refuses, with its reason, and asks once for each address', async () => {
    asked.length = 0
    expect(await python(['-c', CONNECT + CONNECT])).toMatch(
      /^(?:ConnectionRefusedError \[Errno \d+\] why not: ü\r?\n){2}$/,
    )
    expect(asked).toEqual(['llm.invalid'])
  })

  test('lets the next sitecustomize run, as if this one were not there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'next-'))
    const show = "import sys; print([one for one in sys.path if one.endswith('python')])"
    const next = { PYTHONPATH: folder }
    writeFileSync(join(folder, 'sitecustomize.py'), 'print("next runs")')
    expect(await python(['-c', `${show}\n${CONNECT}`], next)).toMatch(
      /^next runs\n\[\]\nConnectionRefusedError/,
    )
    expect(await python(['-c', 'import sitecustomize; print(sitecustomize.__file__)'], next)).toBe(
      `next runs\n${join(folder, 'sitecustomize.py')}\n`,
    )
    writeFileSync(join(folder, 'sitecustomize.py'), '1 / 0')
    expect(await python(['-c', CONNECT], next)).toMatch(/why not[^]*ZeroDivisionError/)
  })

  test('leaves an interpreter alone that takes nothing from its environment or loads no site', async () => {
    for (const flag of ['-I', '-E', '-S']) {
      expect(await python([flag, '-c', CONNECT]), flag).toContain('gaierror')
    }
  })

  test('where the gateway has ended, nothing leaves this machine, and servers of this machine are reached', async () => {
    const ended = base
    base = 'http://127.0.0.1:9/token'
    const here = CONNECT.replace('"llm.invalid", 443', '"127.0.0.1", 9')
    expect(await python(['-c', CONNECT])).toContain('has ended')
    expect(await python(['-c', here])).toMatch(/^ConnectionRefusedError \[Errno \d+\] Connection/)
    base = ended
  })

  test('a program stops nowhere for a failure of the guard, which is told once', async () => {
    const broken = `import vitest_cassette_guard as guard
guard.judge = None${CONNECT}${CONNECT}`
    const said = await python(['-c', broken])
    expect(said.match(/gaierror/g)).toHaveLength(2)
    expect(said.match(/the guard of this Python program failed/g)).toHaveLength(1)
  })

  test('is named once in a variable that children hand on', () => {
    const told = guardOfPython({ PYTHONPATH: ['own', ''].join(delimiter) }, base)
    expect(told.PYTHONPATH).toBe([PYTHON_FOLDER, 'own'].join(delimiter))
    expect(guardOfPython(told, base)).toEqual(told)
  })
})
