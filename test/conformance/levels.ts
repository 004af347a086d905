import type { Case } from './case.ts'

/** The levels of docs/format.md, each of which has all before it. */
export const LEVELS = ['core', 'bodies', 'requests', 'values', 'written'] as const

export type Level = (typeof LEVELS)[number]

/** The cases of each level above `core`, by their names; all others are `core`. */
const ABOVE: Record<Exclude<Level, 'core'>, string[]> = {
  bodies: [
    'aborted',
    'blob-outside',
    'body-key',
    'bytes',
    'cut',
    'escaped',
    'events-asked',
    'form',
    'frames',
    'gzip',
    'json-lines',
    'json-spelling',
    'large-numbers',
    'lines-spelled',
    'long-texts-measured',
    'marks',
    'no-json',
    'numbers',
    'numbers-beyond',
    'picture',
    'picture-edited',
    'properties-numbers',
    'recorded-bedrock-agent',
    'recorded-bedrock-converse-stream',
    'recorded-bedrock-invoke-stream',
    'recorded-generic-binary',
    'recorded-generic-picture',
    'recorded-ollama-chat-stream',
    'reference-places',
    'schema-order',
  ],
  requests: [
    'calls',
    'calls-in-lines',
    'calls-inside',
    'calls-typed',
    'far-calls',
    'headers-host',
    'headers-read',
    'headers-unknown',
    'headers-unknown-model',
    'imported',
    'imported-host',
    'imported-respelled',
    'in-order',
    'path-spelled',
    'polls',
    'polls-more',
    'query',
    'query-names',
    'repeats-cycle',
    'repeats-last',
    'socket',
    'socket-frames',
    'socket-headers-unknown',
    'unasked',
    'word-for-word',
  ],
  values: [
    'params',
    'params-missing',
    'params-new',
    'params-streamed',
    'params-words',
    'redacted',
    'redacted-everywhere',
    'redacted-fields',
    'redacted-plain',
    'redacted-sent',
    'redacted-short',
    'volatile',
    'volatile-back',
    'volatile-dates',
    'volatile-identity',
    'volatile-last',
    'volatile-not-given',
    'volatile-path',
    'volatile-path-marks',
    'volatile-rules',
    'volatile-several',
    'volatile-streamed',
    'volatile-times',
    'volatile-whole-test',
  ],
  written: [
    'ids-twice',
    'recorded-first',
    'written-answer',
    'written-hash',
    'written-hash-request',
    'written-in-order',
    'written-operation',
    'written-parts',
    'written-text',
  ],
}

/** The level of a case. */
export function levelOf(name: string): Level {
  return LEVELS.find((level) => level !== 'core' && ABOVE[level].includes(name)) ?? 'core'
}

interface Exchange {
  wire?: { request: Record<string, unknown>; response?: object }
}

/** The highest level of which something in the cassette or the options of a case is a sign. It may need a higher one. */
export function signOf({ cassette, options = {}, blobs }: Case): Level {
  const { exchanges = [], params } = (cassette ?? {}) as { exchanges?: Exchange[]; params?: object }
  const text = JSON.stringify(cassette ?? null)
  const requests = exchanges.map(({ wire }) => wire?.request ?? {})
  const signs: Record<Exclude<Level, 'core'>, boolean> = {
    bodies:
      blobs !== undefined ||
      /"\$(?:json|blob|base64|lines|frames|form)":|"(?:cut|aborted)":(?:true|\d)/.test(text),
    requests:
      (options.repeats ?? options.unordered) !== undefined ||
      requests.some(
        ({ method, imported, after }) =>
          /GET|SEND/.test(String(method)) || (imported ?? after) !== undefined,
      ),
    values:
      (options.volatile ?? options.params ?? options.env ?? params) !== undefined ||
      /<(?:REDACTED|DIGEST):/.test(text),
    written: exchanges.some(({ wire }) => !wire?.response),
  }
  return LEVELS.findLast((level) => level !== 'core' && signs[level]) ?? 'core'
}
