import { failureOf } from '../../golden.ts'

/** The first line of a reason: the advice below it is the same for all. What Node says of JSON differs by its version. */
export function headOf(reason: string): string {
  return reason
    .split('\n')[0]!
    .replace(/: (?:(?!: ).)+ in JSON at position .*$/, ': <what Node says>')
}

/** What a function fails with: its code, an empty line, the first line of its message. */
export async function failureHeadOf(run: () => unknown): Promise<string> {
  const [code, , head] = (await failureOf(run)).split('\n')
  return `${code}\n\n${headOf(head!)}`
}
