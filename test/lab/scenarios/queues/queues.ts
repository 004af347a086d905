import { EventEmitter, on, once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import Bottleneck from 'bottleneck'
import DataLoader from 'dataloader'
import PQueue from 'p-queue'
import { ask } from '../ask.ts'

/** The queue of LangChain, where the clients are installed. */
const installed = new URL(
  '../../../../../../clients/node_modules/@langchain/core/dist/utils/async_caller.js',
  import.meta.url,
)
const { AsyncCaller } = existsSync(installed) ? await import(installed.href) : {}

/** Asks by a worker that lives as long as its file, whoever has started it. */
type Asking = (question: string) => Promise<string>

/** Waits its turn in a queue of one of the packages that applications take for it. */
function packages(): Record<string, Asking> {
  const queue = new PQueue({ concurrency: 1 })
  const limiter = new Bottleneck({ maxConcurrent: 1, minTime: 5 })
  const caller = AsyncCaller && new AsyncCaller({ maxConcurrency: 1, maxRetries: 0 })
  const loader = new DataLoader<string, string>((keys) => Promise.all(keys.map(ask)), {
    cache: false,
    batchScheduleFn: (flush) => void setTimeout(flush, 5),
  })
  return {
    'p-queue': (question) => queue.add(() => ask(question)),
    bottleneck: (question) => limiter.schedule(() => ask(question)),
    ...(caller && { 'async caller': (question) => caller.call(() => ask(question)) }),
    dataloader: (question) => loader.load(question),
  }
}

/** A job, and who waits for it. */
interface Job {
  question: string
  settle: PromiseWithResolvers<string>
}

/** Starts its worker at the first job. */
function lazily(start: () => (job: Job) => void): Asking {
  let push: ((job: Job) => void) | undefined
  return (question) => {
    push ??= start()
    const settle = Promise.withResolvers<string>()
    push({ question, settle })
    return settle.promise
  }
}

async function work({ question, settle }: Job): Promise<void> {
  try {
    settle.resolve(await ask(question))
  } catch (error) {
    settle.reject(error)
  }
}

function startLoop(): (job: Job) => void {
  const jobs: Job[] = []
  let wake = (): void => {}
  const run = async (): Promise<never> => {
    for (;;) {
      while (jobs.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      await work(jobs.shift()!)
    }
  }
  void run()
  return (job) => {
    jobs.push(job)
    wake()
  }
}

function startGenerator(): (job: Job) => void {
  const jobs: Job[] = []
  async function* answers(): AsyncGenerator<[Job, string]> {
    for (;;) {
      const job = jobs.shift()
      if (job) yield [job, await ask(job.question)]
      else await delay(2, undefined, { ref: false })
    }
  }
  const run = async (): Promise<void> => {
    for await (const [{ settle }, answer] of answers()) settle.resolve(answer)
  }
  void run().catch(() => {})
  return (job) => void jobs.push(job)
}

function startBus(): (job: Job) => void {
  const bus = new EventEmitter()
  const run = async (): Promise<void> => {
    for await (const [job] of on(bus, 'job')) await work(job as Job)
  }
  void run()
  return (job) => void bus.emit('job', job)
}

function startEmitter(): (job: Job) => void {
  const bus = new EventEmitter()
  bus.on('job', ({ question, settle }: Job) => {
    void once(bus, `answer to ${question}`).then(([answer]) => settle.resolve(answer as string))
  })
  const jobs: Job[] = []
  setInterval(async () => {
    const job = jobs.shift()
    if (job) bus.emit(`answer to ${job.question}`, await ask(job.question))
  }, 5).unref()
  return (job) => {
    bus.emit('job', job)
    jobs.push(job)
  }
}

function startFlusher(): (job: Job) => void {
  const jobs: Job[] = []
  setInterval(() => void Promise.all(jobs.splice(0).map(work)), 5).unref()
  return (job) => void jobs.push(job)
}

/** As `p-limit` does, it starts each job in the context of the code that asked for it. */
function limiter(): Asking {
  const jobs: Array<() => void> = []
  let isBusy = false
  const next = (): void => {
    isBusy = jobs.length > 0
    jobs.shift()?.()
  }
  const run = async (question: string, resolve: (answer: Promise<string>) => void) => {
    const answer = ask(question)
    resolve(answer)
    await answer.catch(() => {})
    next()
  }
  return (question) =>
    new Promise((resolve) => {
      void new Promise<void>((start) => jobs.push(start)).then(() => run(question, resolve))
      if (!isBusy) next()
    })
}

/** As `async-mutex` does, it hands the code that waits for its turn what ends it. */
function lock(): Asking {
  const waiting: Array<(turn: [number, () => void]) => void> = []
  let isFree = true
  const next = (): void => {
    isFree = waiting.length === 0
    waiting.shift()?.([1, next])
  }
  return async (question) => {
    const turn = new Promise<[number, () => void]>((resolve) => waiting.push(resolve))
    if (isFree) next()
    const [, release] = await turn
    return ask(question).finally(release)
  }
}

/** All ways to ask by a worker; a worker starts with its first question. */
export function startQueues(): Record<string, Asking> {
  return {
    ...packages(),
    limiter: limiter(),
    lock: lock(),
    loop: lazily(startLoop),
    generator: lazily(startGenerator),
    bus: lazily(startBus),
    emitter: lazily(startEmitter),
    flusher: lazily(startFlusher),
  }
}
