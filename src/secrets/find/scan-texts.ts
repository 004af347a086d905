import { loadPackage } from '../../real/load-later.ts'
import type { SecretLintSourceOptions } from '@secretlint/core'
import { runsIn } from './encoded-runs.ts'
import { findLikely, type SecretHit } from '../find-likely.ts'
import { isFiller } from './is-random.ts'

/** A credential in one of the scanned texts. */
export interface ScannedSecret {
  /** The index of the text. */
  text: number
  rule: string
  secret: string
}

/** Separates two texts; a match that reaches over it is no credential. */
const BORDER = '\n\u0000\n'

/** A rule that lets documents switch rules off: `secretlint-disable` in a prompt would hide what follows. */
const SWITCH = 'filter-comments'

/** Rules of secretlint to leave out. They also report every host of a manual; our rules judge the password. */
const REPLACED = new Set(['basicauth', 'database-connection-string', SWITCH])

/** Rules for files of keys, whose findings are never placeholders. */
const FILES = /privatekey|gcp/

/** A longer run of letters and digits is no credential, but a picture, speech or video. */
const MAX_RUN = 16_384

/** The most characters for secretlint at once: the more findings there are, the longer each takes. */
const MAX_CHUNK = 65_536

/** The overlap of two pieces. The longest credential is a file of a key, which fits. */
const MAX_OVERLAP = 8_192

/** Looks for credentials in texts: with the rules of secretlint, and with those of this package. */
export async function scanTexts(texts: readonly string[]): Promise<ScannedSecret[]> {
  const found: ScannedSecret[] = []
  for (const { content, starts, first } of chunksOf(texts)) {
    const hits = [...findLikely(content), ...(await scanWithSecretlint(content))]
    for (const { text, ...hit } of apart(hits, starts)) found.push({ text: first + text, ...hit })
  }
  return found
}

interface Chunk {
  content: string
  /** The position of each of its texts. */
  starts: number[]
  /** The index of its first text. */
  first: number
}

/** Short texts are scanned together, and a long one by itself. */
function* chunksOf(texts: readonly string[]): Generator<Chunk> {
  let chunk: Chunk | undefined
  for (const [index, text] of texts.entries()) {
    const short = withoutLongRuns(text)
    if (chunk && chunk.content.length + short.length > MAX_CHUNK) {
      yield chunk
      chunk = undefined
    }
    chunk ??= { content: '', starts: [], first: index }
    chunk.starts.push(chunk.content.length)
    chunk.content += short + BORDER
  }
  if (chunk) yield chunk
}

/** Puts a border in place of the omitted rest, so that no match reaches over it. */
function withoutLongRuns(text: string): string {
  if (text.length <= MAX_RUN) return text
  let kept = ''
  let from = 0
  for (const [start, end] of runsIn(text, MAX_RUN)) {
    kept += text.slice(from, start + MAX_RUN / 2) + BORDER
    from = end
  }
  return kept + text.slice(from)
}

/** Several rules can find one credential, or parts of it: the first in the order of the rules counts. */
function apart(hits: readonly SecretHit[], starts: readonly number[]): ScannedSecret[] {
  const ranked = hits
    .map((hit, rank) => ({ ...hit, rank }))
    .filter(({ secret }) => !secret.includes(BORDER))
    .sort((one, other) => one.at - other.at)
  const found: ScannedSecret[] = []
  let text = 0
  let end = -1
  let rank = Infinity
  for (const hit of ranked) {
    while (text + 1 < starts.length && starts[text + 1]! <= hit.at) text++
    const isSame = hit.at < end
    end = Math.max(isSame ? end : 0, hit.at + hit.secret.length)
    if (isSame && hit.rank >= rank) continue
    if (isSame) found.pop()
    rank = hit.rank
    found.push({ text, rule: hit.rule, secret: hit.secret })
  }
  return found
}

async function scanWithSecretlint(content: string): Promise<SecretHit[]> {
  // Loaded here: only recording and verifying need it.
  const { lintSource } = loadPackage('@secretlint/core') as typeof import('@secretlint/core')
  const { rules } = loadPackage(
    '@secretlint/secretlint-rule-preset-recommend',
  ) as typeof import('@secretlint/secretlint-rule-preset-recommend')
  const config = {
    rules: rules
      .filter(({ meta }) => !REPLACED.has(nameOf(meta.id)))
      .map((rule) => ({ id: rule.meta.id, rule })),
  } as SecretLintSourceOptions['options']['config']
  const hits: SecretHit[] = []
  for (const [from, part] of partsOf(content)) {
    const { messages } = await lintSource({
      source: { content: part, filePath: 'cassette.txt', ext: '.txt', contentType: 'text' },
      options: { config, noPhysicFilePath: true },
    })
    for (const { range, ruleId } of messages) {
      const hit = { at: from + range[0], rule: nameOf(ruleId), secret: part.slice(...range) }
      if (FILES.test(hit.rule) || !isFiller(hit.secret.replace(/^[^_-]+[_-]/, ''))) hits.push(hit)
    }
  }
  return hits
}

function nameOf(rule: string): string {
  return rule.replace('@secretlint/secretlint-rule-', '')
}

/** Pieces of a long text that overlap by more than a credential has characters. */
function* partsOf(content: string): Generator<[from: number, part: string]> {
  for (let from = 0; from === 0 || from + MAX_OVERLAP < content.length; from += MAX_CHUNK)
    yield [from, content.slice(from, from + MAX_CHUNK + MAX_OVERLAP)]
}
