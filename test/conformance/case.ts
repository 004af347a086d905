import type { Level } from './levels.ts'

/** One case of `conformance/cases`. */
export interface Case {
  /** What the case shows, in one sentence. */
  shows: string
  /** The lowest level of a player that passes it. */
  level: Level
  /** The content of the cassette file. */
  cassette?: unknown
  /** The text of the file, in place of its content. */
  file?: string
  /** The files of the `blobs` folder, in base64. */
  blobs?: Record<string, string>
  options?: {
    volatile?: string[]
    params?: Record<string, string | number>
    env?: Record<string, string>
    repeats?: 'strict' | 'last' | 'cycle'
    unordered?: boolean
  }
  requests: Ask[]
  /** The reason for which the file is not read. */
  unreadable?: string
  /** The exchanges that nothing asked for. */
  unused?: string[]
  /** What was edited after it was recorded: `head`, `exchanges`, and the ids of exchanges with another answer. */
  edited?: string[]
}

/** One request, as its client sends it, with what is expected of the player. */
export interface Ask {
  method: string
  url: string
  headers?: Record<string, string>
  /** The body as a text, or in base64. */
  body?: string
  base64?: string
  /** The place in the list of the request before on the same socket. */
  after?: number
  expect?: Expected
}

/** The answer, or the reason for which there is none. */
export interface Expected {
  /** The prompt hash of the request. */
  hash?: string
  refused?: string
  exchange?: string
  /** The answer was written by a person: only the exchange is compared. */
  written?: true
  status?: number
  headers?: Record<string, string>
  body?: string
  base64?: string
  /** The length in bytes of each piece, if there are several. */
  pieces?: number[]
  cut?: true
  aborted?: 'before-headers' | number
}

/** What a player makes of a case. */
export interface Outcome {
  unreadable?: string
  expected: Expected[]
  unused?: string[]
  edited?: string[]
}
