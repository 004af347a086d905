import { shared } from '../real/shared.ts'

/** What is said to the user beside failures. Without a set, nobody takes it, so it is printed. */
const kept = shared<{ texts?: Set<string> }>('said')

/** Says something to the user: by the reporter of the run, since a suite can forbid its tests to print. */
export function say(text: string): void {
  if (kept.texts) kept.texts.add(text)
  else console.warn(text)
}

/** From now on, what is said is kept for the process of the run. */
export function keepSaid(): void {
  kept.texts ??= new Set()
}

/** Takes what was kept. What is said from now on is printed. */
export function takeSaid(): string[] {
  const texts = [...(kept.texts ?? [])]
  kept.texts = undefined
  return texts
}
