import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { edited } from '../changed.ts'

describe.each([
  ['Node', process.execPath, 'app-server.mjs'],
  ['Python', 'python3', 'app_server.py'],
])('%s', (name, command, file) => {
  let server: ChildProcess
  let url: string
  const ask = async (question: string, headers?: Record<string, string>): Promise<string> => {
    const body = `${question} of ${name}`
    return (await fetch(url, { method: 'POST', headers, body })).text()
  }

  beforeAll(async () => {
    const env = { ...process.env, OPENAI_BASE_URL: `${process.env.UPSTREAM_URL}/v1` }
    server = spawn(command, [file], {
      env,
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [port] = (await once(server.stdout!, 'data')) as [Buffer]
    url = `http://127.0.0.1:${Number(port)}`
  })
  afterAll(() => void server.kill())

  for (const who of ['one', 'other'])
    test.concurrent(`asks for ${who}`, async ({ cassette }) => {
      expect(await ask(`question of ${who}`, cassette.headers)).toContain(who)
      await delay(10)
      expect(await ask(`${edited('thanks', 'many thanks')} of ${who}`, cassette.headers)).toContain(
        who,
      )
      expect(cassette.exchanges).toHaveLength(2)
    })

  test.runIf(name === 'Node')('asks for nobody', async () => {
    // Changed, it fails the file and not this test.
    expect(await ask(edited('no headers', 'no test'))).toContain(edited('no headers', ''))
  })
})
