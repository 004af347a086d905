import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Exchange } from './exchanges.ts'

/** The address that all are asked at. */
export const PROVIDER = 'https://api.openai.com/v1'

/** What a tool is given for one run. */
export interface Setting {
  /** Where its recordings are. */
  folder: string
  /** The address of the provider where it has to be recorded; absent in replay. */
  upstream?: string
}

/** How the application asks while a tool is open. */
export interface Opened {
  fetch: typeof globalThis.fetch
  baseUrl: string
  /** Ends it, and writes what was recorded. */
  close?(): unknown
}

/** A tool, or what it is compared with: one file of `contestants/` each. */
export interface Contestant {
  /** Writes the recordings that it replays. `run` makes all the calls once, for those that record. */
  prepare?(
    setting: Setting,
    exchanges: Exchange[],
    run: (opened: Opened) => Promise<unknown>,
  ): unknown
  /** From here time is taken in rows that measure loading. */
  open(setting: Setting): Opened | Promise<Opened>
  /** Opens it to record; absent where it cannot. */
  record?(setting: Setting): Opened | Promise<Opened>
  /** True where it claims to fail when the prompt was changed. */
  comparesPrompts?: boolean
  /** Makes its folder one of many: the name of its recording is replaced by each of these. */
  multiply?(setting: Setting, names: string[]): void
}

/** An answer as tools without a recording of their own read it from a file. */
export interface StoredAnswer {
  prompt: string
  answer: string
  type: string
}

/** The answers of the file that all tools without a format of their own share. */
export function readAnswers({ folder }: Setting): StoredAnswer[] {
  return JSON.parse(readFileSync(join(folder, '..', 'answers.json'), 'utf8')) as StoredAnswer[]
}

/** An answer as the floor gives it: its bytes, a stream event by event. */
export function respond({ answer, type }: StoredAnswer): Response {
  const headers = { 'content-type': type }
  if (type === 'application/json') return new Response(answer, { headers })
  return new Response(ReadableStream.from(eventsOf(answer)), { headers })
}

const encoder = new TextEncoder()

export function eventsOf(answer: string): Uint8Array[] {
  return answer.split(/(?<=\n\n)/).map((event) => encoder.encode(event))
}

/** The global fetch of the moment, as an application finds it. */
export function globalFetch(): Opened {
  return { fetch: globalThis.fetch, baseUrl: PROVIDER }
}

/** Where to record. The path names the provider too, since one tool looks for it in the address. */
export function recordingFetch({ upstream }: Setting): Opened {
  return { fetch: globalThis.fetch, baseUrl: `${upstream!}/api.openai.com/v1` }
}
