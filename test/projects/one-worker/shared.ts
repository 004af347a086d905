import { setTimeout as delay } from 'node:timers/promises'
import { ask } from '../ask.ts'

interface Job {
  question: string
  settle: PromiseWithResolvers<string>
}

const jobs: Job[] = []

/** Asks by a loop that the first file starts which imports this. */
export function askByLoop(question: string): Promise<string> {
  const settle = Promise.withResolvers<string>()
  jobs.push({ question, settle })
  return settle.promise
}

async function run(): Promise<void> {
  for (;;) {
    await delay(5)
    for (const { question, settle } of jobs.splice(0))
      await ask(question).then(settle.resolve, settle.reject)
  }
}

console.log('the loop starts')
void run()
