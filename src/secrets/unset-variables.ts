import { textOf } from '../wire/body.ts'
import type { WireRequest } from '../wire/message.ts'

/** Variables are written in capitals; the names of headers and fields are not. */
const VARIABLE = /<REDACTED:([A-Z][A-Z0-9_]*)>/g

/** The variables whose values stood in a recorded prompt, and that are not set here. */
export function unsetVariables(recorded: WireRequest, asked: WireRequest): string[] {
  const there = namesIn(asked)
  return [...namesIn(recorded)].filter(
    (name) => !there.has(name) && !/^RULE_\d+$/.test(name) && process.env[name] === undefined,
  )
}

function namesIn({ body }: WireRequest): Set<string> {
  return new Set(Array.from(textOf(body).matchAll(VARIABLE), ([, name]) => name!))
}
