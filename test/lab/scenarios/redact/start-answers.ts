import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    answersUrl: string
  }
}

const servers = join(import.meta.dirname, 'servers')

/** Starts what answers. In a replay it takes the programs of all servers away. */
export default async function startAnswers(project: TestProject): Promise<() => void> {
  let server: ChildProcess | undefined
  let port = 9
  if (!process.env.LAB_RUN!.startsWith('record')) rmSync(servers, { recursive: true })
  else {
    server = spawn(process.execPath, [join(servers, 'answers.mjs')])
    port = Number(((await once(server.stdout!, 'data')) as [Buffer])[0])
  }
  project.provide('answersUrl', `http://127.0.0.1:${port}`)
  return () => void server?.kill('SIGKILL')
}
