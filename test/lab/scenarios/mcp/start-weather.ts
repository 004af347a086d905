import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    weatherUrl: string
  }
}

const REPLAYS = ['replay', 'changed', 'prompts']
const servers = join(import.meta.dirname, 'servers')

/** Starts the server that is reached over HTTP. In a replay it takes the programs of all servers away. */
export default async function startWeather(project: TestProject): Promise<() => void> {
  const { LAB_RUN = '' } = process.env
  let server: ChildProcess | undefined
  let port = 9
  if (REPLAYS.includes(LAB_RUN)) rmSync(servers, { recursive: true })
  else {
    if (LAB_RUN === 'record again') writeFileSync(join(servers, 'sky.txt'), 'snow\n')
    server = spawn(process.execPath, [join(servers, 'weather.mjs'), 'http'])
    port = Number(((await once(server.stdout!, 'data')) as [Buffer])[0])
  }
  project.provide('weatherUrl', `http://127.0.0.1:${port}`)
  return () => void server?.kill('SIGKILL')
}
