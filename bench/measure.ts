// One process: one contestant, one workload. `node measure.ts <contestant> <workload> <folder> [upstream | prepare]`
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Contestant, Opened, Setting } from './contestant.ts'
import type { Exchange } from './exchanges.ts'
import { post, workloads, type Measured } from './workloads.ts'

const [, , name, workloadName, folder, extra] = process.argv as string[]
const workload = workloads[workloadName!]!
const exchanges = workload.exchanges()
/** Workloads send all but the last. In rows that measure the whole run, the last is an extra one. */
const asked = workload.whole ? [...exchanges, exchanges[0]!] : exchanges
const imported = performance.now()
const { default: contestant } = (await import(`./contestants/${name}.ts`)) as {
  default: Contestant
}
const setting: Setting = { folder: join(folder!, workloadName!, name!) }

process.send!(await measure())
// Some tools keep a server open, which keeps the process alive.
process.exit()

function measure(): Promise<Measured> {
  if (extra === 'prepare') return prepare()
  return workload.records ? record(extra!) : replay()
}

async function prepare(): Promise<Measured> {
  mkdirSync(setting.folder, { recursive: true })
  const answers = exchanges.map(({ prompt, ...answer }) => ({
    ...answer,
    prompt: JSON.stringify(prompt),
  }))
  const shared = join(setting.folder, '..', 'answers.json')
  if (!existsSync(shared)) writeFileSync(shared, JSON.stringify(answers))
  const all = (opened: Opened): Promise<Measured> =>
    workload.run(opened, [...exchanges, exchanges[0]!])
  await contestant.prepare?.(setting, exchanges, all)
  const names = Array.from({ length: workload.neighbours ?? 0 }, (_, index) => `neighbour-${index}`)
  contestant.multiply?.(setting, names)
  return { times: [] }
}

async function record(upstream: string): Promise<Measured> {
  if (!contestant.record) return { times: [], wrong: 'records nothing' }
  const own = mkdtempSync(`${setting.folder}-`)
  const started = performance.now()
  const opened = await contestant.record({ folder: own, upstream })
  const measured = await workload.run(opened, asked)
  return workload.whole ? close(opened, measured, started) : measured
}

async function replay(): Promise<Measured> {
  const started = performance.now()
  const opened = await contestant.open(setting)
  const measured = await workload.run(opened, asked)
  if (workload.whole)
    return close(opened, measured, workload.whole === 'from import' ? imported : started)
  if (workload.fromOpening) measured.times = [performance.now() - started]
  if (workload.memory) measured.times = [process.resourceUsage().maxRSS / 1_024]
  if (
    !measured.wrong &&
    contestant.comparesPrompts &&
    (await answersAnother(opened, exchanges.at(-1)!))
  )
    measured.wrong = 'answers a changed prompt'
  return measured
}

async function close(opened: Opened, measured: Measured, started: number): Promise<Measured> {
  await opened.close?.()
  return { ...measured, times: [performance.now() - started] }
}

/** Sends a recorded prompt with one word of the instructions changed; true if it gets the recorded answer. */
async function answersAnother(opened: Opened, { prompt, text }: Exchange): Promise<boolean> {
  const [system, ...rest] = prompt.messages
  const content = String(system!.content).replace('customers', 'clients')
  try {
    const response = await post(opened, {
      ...prompt,
      messages: [{ role: 'system', content }, ...rest],
    })
    return (await response.text()).includes(text)
  } catch {
    return false
  }
}
