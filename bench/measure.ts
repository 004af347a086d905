// One process: one contestant, one workload. `node measure.ts <contestant> <workload> <folder> [upstream | prepare]`
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
// All contestants import this; here it is loaded before the clock starts.
import './contestant.ts'
import type { Contestant, Opened, Setting } from './contestant.ts'
import type { Exchange } from './exchanges.ts'
import { post, workloads, type Measured } from './workloads.ts'

const [, , name, workloadName, folder, extra] = process.argv as string[]
const workload = workloads[workloadName!]!
const exchanges = (extra === 'prepare' ? undefined : workload.asked?.()) ?? workload.exchanges()
const perCassette = exchanges.length / (workload.cassettes ?? 1)
/** The exchanges of each cassette. */
const cassettes = Array.from({ length: workload.cassettes ?? 1 }, (_, index) =>
  exchanges.slice(index * perCassette, (index + 1) * perCassette),
)
if (!workload.coldFetch) await warmFetch()
const imported = performance.now()
const { default: contestant } = (await import(`./contestants/${name}.ts`)) as {
  default: Contestant
}

process.send!(await measure())
// Some tools keep a server open, which keeps the process alive.
process.exit()

async function measure(): Promise<Measured> {
  if (extra === 'prepare') return prepare()
  const measured = await (workload.records ? record(extra!) : replay())
  return { ...measured, peak: process.resourceUsage().maxRSS / 1_024 }
}

/** Loads what Node loads when fetch is first used, which takes longer than most of what is measured. */
async function warmFetch(): Promise<void> {
  const request = new Request('http://localhost', { method: 'POST', body: '{}' })
  await new Response(request.body).json()
}

function settingOf(cassette: number): Setting {
  return { folder: join(folder!, workloadName!, String(cassette), name!) }
}

async function prepare(): Promise<Measured> {
  for (const [index, recorded] of cassettes.entries()) {
    const setting = settingOf(index)
    mkdirSync(setting.folder, { recursive: true })
    const answers = recorded.map(({ prompt, ...answer }) => ({
      ...answer,
      prompt: JSON.stringify(prompt),
    }))
    const shared = join(setting.folder, '..', 'answers.json')
    if (!existsSync(shared)) writeFileSync(shared, JSON.stringify(answers))
    const all = (opened: Opened): Promise<Measured> =>
      workload.run(opened, allOf(recorded), setting)
    await contestant.prepare?.(setting, recorded, all)
  }
  const names = Array.from({ length: workload.neighbours ?? 0 }, (_, index) => `neighbour-${index}`)
  contestant.multiply?.(settingOf(0), names)
  return { times: [] }
}

async function record(upstream: string): Promise<Measured> {
  if (!contestant.record) return { times: [], wrong: 'records nothing' }
  const { folder } = settingOf(0)
  mkdirSync(dirname(folder), { recursive: true })
  const setting = { folder: mkdtempSync(`${folder}-`), upstream }
  const opened = await contestant.record(setting)
  if (workload.whole) return runToClosing(opened, exchanges, setting)
  return workload.run(opened, exchanges, setting)
}

async function replay(): Promise<Measured> {
  if (workload.whole === 'closed') return replayToClosing()
  const setting = settingOf(0)
  const opened = await contestant.open(setting)
  const measured = await workload.run(opened, exchanges, setting)
  if (workload.whole) measured.times = [performance.now() - imported]
  if (
    !measured.wrong &&
    contestant.comparesPrompts &&
    (await answersAnother(opened, exchanges.at(-1)!))
  )
    measured.wrong = 'answers a changed prompt'
  return measured
}

/** Opens, asks and closes one cassette after the other. */
async function replayToClosing(): Promise<Measured> {
  let measured: Measured = { times: [] }
  for (const [index, recorded] of cassettes.entries()) {
    const setting = settingOf(index)
    measured = await runToClosing(await contestant.open(setting), recorded, setting)
    if (measured.wrong) break
  }
  return measured
}

/** Sends every exchange, and closes; the time is that since the import. */
async function runToClosing(
  opened: Opened,
  recorded: Exchange[],
  setting: Setting,
): Promise<Measured> {
  const began = process.threadCpuUsage()
  const measured = await workload.run(opened, allOf(recorded), setting)
  const answered = performance.now()
  await opened.close?.()
  const closed = performance.now()
  const { user, system } = process.threadCpuUsage(began)
  const cpu = (user + system) / 1_000_000
  return { ...measured, times: [closed - imported], closing: closed - answered, cpu }
}

/** Workloads send all but the last; here that is one more. */
function allOf(recorded: Exchange[]): Exchange[] {
  return [...recorded, recorded[0]!]
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
