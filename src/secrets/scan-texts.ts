import type { SecretLintSourceOptions } from '@secretlint/core'
import { secretRules } from './secret-rules.ts'

/** Where a credential stands among the texts that were scanned. */
export interface ScannedSecret {
  /** The index of the text. */
  text: number
  /** Which rule found it. */
  rule: string
  secret: string
}

/** Stands between two texts; what reaches over it is no credential. */
const BORDER = '\n\u0000\n'

/** Every document may switch that rule off: `secretlint-disable` in a prompt would hide what follows. */
const SWITCH = '@secretlint/secretlint-rule-filter-comments'

/** Words that authors of documentation put where a credential would stand. */
const PLACEHOLDER =
  /example|your[-_]|placeholder|dummy|changeme|redacted|localhost|process\.env|import\.meta|(.)\1{7}/i

/** Looks for credentials in texts: with the rules of secretlint, and with those of this package. */
export async function scanTexts(texts: readonly string[]): Promise<ScannedSecret[]> {
  const content = texts.join(BORDER)
  const starts: number[] = []
  let start = 0
  for (const text of texts) {
    starts.push(start)
    start += text.length + BORDER.length
  }
  const hits = [...scanForIssuers(content), ...(await scanWithSecretlint(content))]
  return hits
    .filter(({ secret }) => !PLACEHOLDER.test(secret) && !secret.includes(BORDER))
    .map(({ at, ...hit }) => ({ text: textAt(starts, at), ...hit }))
}

interface Hit {
  at: number
  rule: string
  secret: string
}

function scanForIssuers(content: string): Hit[] {
  return secretRules.flatMap(({ name, pattern, accept }) =>
    Array.from(content.matchAll(pattern), (match) => {
      const secret = match[1] ?? match[0]
      return { at: match.index + match[0].lastIndexOf(secret), rule: name, secret }
    }).filter(({ secret }) => !accept || accept(secret)),
  )
}

async function scanWithSecretlint(content: string): Promise<Hit[]> {
  // Loaded here: only who records or verifies ever needs it.
  const [{ lintSource }, { rules }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ])
  const { messages } = await lintSource({
    source: { content, filePath: 'cassette.txt', ext: '.txt', contentType: 'text' },
    options: {
      config: {
        rules: rules
          .filter(({ meta }) => meta.id !== SWITCH)
          .map((rule) => ({ id: rule.meta.id, rule })),
      } as SecretLintSourceOptions['options']['config'],
      noPhysicFilePath: true,
    },
  })
  return messages.map(({ range: [at, end], ruleId }) => ({
    at,
    rule: ruleId.replace('@secretlint/secretlint-rule-', ''),
    secret: content.slice(at, end),
  }))
}

function textAt(starts: readonly number[], at: number): number {
  return starts.findLastIndex((start) => start <= at)
}
