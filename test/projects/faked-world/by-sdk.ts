import { ask } from '../ask.ts'
import { question } from './app.ts'

/** An application that answers something whatever happens. */
export async function answer(): Promise<string> {
  try {
    return await ask(question)
  } catch {
    return 'Please try again later.'
  }
}
