import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ReadableStream } from 'node:stream/web'
import type { openCassette } from '../src/runners/program/open-cassette.ts'
import { PROVIDER, type Exchange } from './exchanges.ts'

/** The settings of a tool for one run. */
export interface Setting {
  /** The folder of its recordings. */
  folder: string
  /** The address of the provider to record from; absent in replay. */
  upstream?: string
}

/** How the application sends requests while a tool is open. */
export interface Opened {
  fetch: typeof globalThis.fetch
  baseUrl: string
  /** Closes the tool, and writes its recording. */
  close?(): unknown
}

/** A tool, or a baseline for the comparison; each is a file of `contestants/`. */
export interface Contestant {
  /** Writes the recordings that it replays. `run` makes all the calls once, for tools that have to record them. */
  prepare?(
    setting: Setting,
    exchanges: Exchange[],
    run: (opened: Opened) => Promise<unknown>,
  ): unknown
  /** Opens it to replay. Rows that measure loading start the clock here. */
  open(setting: Setting): Opened | Promise<Opened>
  /** Opens it to record; absent if it cannot. */
  record?(setting: Setting): Opened | Promise<Opened>
  /** True if it claims to fail on a changed prompt. */
  comparesPrompts?: boolean
  /** Adds one recording under each name to its folder. */
  multiply?(setting: Setting, names: string[]): void
}

/** An answer in the file for tools without a recording of their own. */
export interface StoredAnswer {
  prompt: string
  answer: string
  type: string
}

/** Reads the file of answers that all tools without a format of their own share. */
export function readAnswers({ folder }: Setting): StoredAnswer[] {
  return JSON.parse(readFileSync(join(folder, '..', 'answers.json'), 'utf8')) as StoredAnswer[]
}

/** Makes a response of an answer; a stream is sent event by event. */
export function respond({ answer, type }: StoredAnswer): Response {
  const headers = { 'content-type': type }
  if (type === 'application/json') return new Response(answer, { headers })
  const events = ReadableStream.from(eventsOf(answer)) as unknown as BodyInit
  return new Response(events, { headers })
}

/** Answers requests by their text, for tools that leave the matching to their user. */
export function answerByText(setting: Setting): (request: Request) => Promise<Response> {
  const answers = new Map(readAnswers(setting).map((stored) => [stored.prompt, stored]))
  return async (request) => {
    const stored = answers.get(await request.text())
    return stored ? respond(stored) : new Response('no such prompt', { status: 404 })
  }
}

const encoder = new TextEncoder()

export function eventsOf(answer: string): Uint8Array[] {
  return answer.split(/(?<=\n\n)/).map((event) => encoder.encode(event))
}

/** The current global fetch, as an application finds it. */
export function globalFetch(): Opened {
  return { fetch: globalThis.fetch, baseUrl: PROVIDER }
}

/** How to send requests to record. The path names the provider, since one tool looks for it in the address. */
export function recordingFetch({ upstream }: Setting): Opened {
  return { fetch: globalThis.fetch, baseUrl: `${upstream!}/api.openai.com/v1` }
}

/** The cassette of this package in its folder. */
export const CASSETTE = 'cassette.json'

/** A build of this package, with the `bench/` of the checkout in which it was made. */
export function cassetteContestant(build: typeof openCassette, bench: string) {
  return {
    comparesPrompts: true,
    async prepare({ folder }, exchanges) {
      // Imported here, so that the measured processes do not load it.
      const { saveExchanges } = (await import(
        `${bench}/save-exchanges.ts`
      )) as typeof import('./save-exchanges.ts')
      await saveExchanges(folder, CASSETTE, `${PROVIDER}/chat/completions`, exchanges)
    },
    open({ folder }) {
      const cassette = build({ path: join(folder, CASSETTE), unused: 'warn' })
      return { ...globalFetch(), close: () => cassette.close() }
    },
    record(setting) {
      const cassette = build({
        path: join(setting.folder, CASSETTE),
        mode: 'all',
        hosts: [new URL(setting.upstream!).host],
      })
      return { ...recordingFetch(setting), close: () => cassette.close() }
    },
    multiply({ folder }, names) {
      for (const name of names) copyFileSync(join(folder, CASSETTE), join(folder, `${name}.json`))
    },
  } satisfies Contestant
}
