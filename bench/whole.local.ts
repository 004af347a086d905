import { fork } from 'node:child_process'
import { mkdtempSync, mkdirSync } from 'node:fs'
const here = import.meta.dirname
mkdirSync(here + '/.tmp', { recursive: true })
const folder = mkdtempSync(here + '/.tmp/w-')
const names = (process.argv[3] ?? 'vitest-cassette,vitest-cassette-socket,msw-fetch,msw').split(',')
const env = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_NO_WARNINGS: '1', OPENAI_API_KEY: 'sk-proj-0123456789abcdefghijklmnopqrstuvwxyz' }
const run = (args: string[]) => new Promise<[number, number]>((resolve) => {
  const s = performance.now(); let inner = 0; let wrong
  const c = fork(here + '/measure.ts', args, { env, stdio: 'ignore' })
  c.on('message', (m: any) => { inner = m.times[0]; wrong = m.wrong; if (wrong) console.log(args, wrong) })
  c.on('exit', () => resolve([performance.now() - s, inner]))
})
for (const row of process.argv[2]!.split(',')) {
  for (const n of names) await run([n, row, folder, 'prepare'])
  const res: Record<string, [number, number][]> = {}
  for (let r = 0; r < 9; r++) for (const n of names.toSorted(() => Math.random() - 0.5)) (res[n] ??= []).push(await run([n, row, folder]))
  const med = (t: number[]) => t.toSorted((a, b) => a - b)[Math.floor(t.length / 2)]!.toFixed(1)
  for (const n of names) console.log(row, n.padEnd(24), 'whole process', med(res[n]!.map((x) => x[0])), 'from opening', med(res[n]!.map((x) => x[1])))
}
