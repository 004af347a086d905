import { escapePattern } from '../../text/escape-pattern.ts'

/** Whether two names are those of one user, or one of them is not known. */
export function isOneUser(said: string | undefined, heard: string | undefined): boolean {
  if (said === undefined || heard === undefined) return true
  const [one, other] = [namesIn(said), namesIn(heard)]
  return (
    one.some((name) => other.includes(name) || isSentAs(name, heard)) ||
    other.some((name) => isSentAs(name, said)) ||
    isSentAs(said, heard)
  )
}

/** The id and the name in a mention (`<@U7|Anna Smith>`). */
function namesIn(userId: string): string[] {
  const plain = userId.replace(/^<@?|>$/g, '').replace(/^@/, '')
  return plain.split('|').map((name) => name.trim())
}

/** What providers do not accept in a name: OpenAI's pattern, and the same with the letters of all languages. */
const NOT_IN_NAMES = [/[^a-zA-Z0-9_-]/g, /[^\p{L}\p{N}_-]/gu]

/** Whether a user is sent by a name that a provider accepts: `<@U7>` as `U7`, `__U7_` or `-U7-`. */
function isSentAs(userId: string, name: string): boolean {
  return NOT_IN_NAMES.flatMap((mark) => [mark, new RegExp(`(?:${mark.source})+`, mark.flags)]).some(
    (mark) => userId !== name && ['_', '-', ''].some((put) => userId.replace(mark, put) === name),
  )
}

/** Removes a user's name from the beginning of a text: `<@U7>: Hello`, `[<@U7>] Hello`. */
export function textAfterName(text: string, userId: string | undefined): string {
  if (userId === undefined) return text
  const name = `(?:${escapePattern(userId)}|\\[${escapePattern(userId)}\\])`
  return text.replace(new RegExp(`^${name}(?: *: *|\\s+)`), '')
}

/** The user who says a text, for a comparison with that of the next one. */
export function idOf({ userId, text }: { userId?: string; text: string }): string | undefined {
  const mention = userId ?? /^\[?(<@[^<>\n]+>)/.exec(text)?.[1]
  return mention === undefined ? undefined : namesIn(mention)[0]
}
