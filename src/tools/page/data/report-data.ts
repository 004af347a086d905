/** The data that the page loads first. Texts in data files are safe to show; paths are as links contain them. */
export interface ReportIndex {
  /** ISO 8601. */
  made: string
  version: string
  /** The date of the list prices. */
  prices: string
  /** The names of test files, which rows refer to by number. */
  files: string[]
  /** The names of models, which rows refer to by number. */
  models: Array<Figures & { name: string }>
  rows: ReportRow[]
  failures: FailureRow[]
  /** The conclusion of a rehearsal, in sentences, and the name of its data file. */
  rehearsal?: { id: string; conclusion: string[] }
  unread: UnreadCassette[]
  /** The number of files with texts for the search. */
  searchFiles: number
}

/** One cassette, as a line of the list. */
export interface ReportRow extends Figures {
  /** The name of the data files of the cassette. */
  id: string
  /** The path of the cassette, as a person types it and as links contain it. */
  path: string
  /** An index into {@link ReportIndex.files}. */
  file: number
  /** The titles of the test. */
  title: string
  /** Indexes into {@link ReportIndex.models}. */
  models: number[]
  turns: number
  threads: number
  pictures: number
  /** The day on which it was recorded. */
  day: string
}

/** The usage of exchanges. An unknown cost or count is `null`. */
export interface Figures {
  exchanges: number
  input: number | null
  output: number | null
  cached: number
  reasoning: number
  /** US dollars. */
  cost: number | null
  /** A part of the exchanges has no price, so the cost is a lower bound. */
  isAtLeast?: boolean
  ms: number
}

/** One failure of the run that wrote the report, and the tests that it failed. */
export interface FailureRow {
  /** The name of its data file. */
  id: string
  headline: string
  tests: FailedTestOfPage[]
}

export interface FailedTestOfPage {
  title: string
  /** The path of its cassette, which may not exist. */
  path: string
}

/** A failure in full. */
export interface ReportFailure {
  lines: FailureLine[]
  pictures: PicturePair[]
}

/** A line of a failure as the terminal shows it. */
export interface FailureLine {
  kind: 'plain' | 'added' | 'removed' | 'quiet' | 'strong'
  spans: Array<{ text: string; marked?: true }>
}

/** A recorded picture, and the one that the request has in its place. */
export interface PicturePair {
  recorded?: string
  asked?: string
}

/** Answers of a rehearsal that differ from the recorded ones. */
export interface ReportRehearsal {
  /** Answers that behave differently, and prompts that the provider rejects. */
  others: RehearsedAnswer[]
  words: RehearsedAnswer[]
}

export interface RehearsedAnswer {
  /** The title of the test. */
  title: string
  /** The path of the cassette. */
  path: string
  exchange: string
  verdict: string
  /** The differences in behaviour, or why the provider rejected the prompt. */
  says: string[]
  recorded: string
  now?: string
}

export interface UnreadCassette {
  path: string
  problem: string
}

/** One cassette, without its streams. */
export interface ReportCassette {
  path: string
  timestamp: string
  /** Notes on the whole cassette: that it is invalid, or has parameters. */
  notes: string[]
  threads: ReportThread[]
}

export interface ReportThread {
  id: string
  model?: string
  /** The thread and exchange from which it branches, in words. */
  branch?: string
  /** What of its requests is not compared, in words; absent where all of it is. */
  uncompared?: string
  exchanges: ReportExchange[]
}

export interface ReportExchange extends Figures {
  id: string
  model?: string
  /** The provider and the operation: `openai · chat`. */
  operation: string
  method?: string
  url?: string
  status?: number
  finish: string[]
  notes: string[]
  /** The number of events of its answer; 0 if it was not streamed. */
  events: number
  settings?: ReportSettings
  entries: ReportEntry[]
}

/** The parameters and tools of a request; each is present only if it changed. */
export interface ReportSettings {
  parameters?: string
  tools?: Array<{ name: string; text: string }>
}

export interface ReportEntry {
  role: 'system' | 'user' | 'assistant' | 'tool' | 'dropped'
  /** The user id in the request, or the name of the MCP server that answered. */
  name?: string
  reasoning?: string
  parts: ReportPart[]
  calls: ReportCall[]
  /** The fields of a message beside its parts. */
  extra?: string
  error?: string
  /** The answer stops before its end. */
  isCut?: boolean
}

export type ReportPart =
  | { type: 'text'; text: string }
  | { type: 'data'; label: string; text: string }
  | {
      type: 'file'
      file: string
      label: string
      /** The picture before it in the thread. */
      before?: string
    }

/** The files that a browser shows as pictures. */
export const IMAGE: RegExp = /\.(?:png|jpg|gif|webp|avif)$/

/** What a part says, or its label if it is a file. */
export function textOfPart(part: ReportPart): string {
  return part.type === 'file' ? part.label : part.text
}

export interface ReportCall {
  name: string
  /** All parameters in one line, cut. */
  brief: string
  parameters: string
  result?: ReportPart[]
  extra?: string
}

/** The streams of a cassette: their events by exchange. */
export interface ReportStreams {
  exchanges: Record<string, StreamedEvent[]>
}

export interface StreamedEvent {
  name?: string
  data: string
}

export interface SearchTexts {
  texts: Array<[id: string, text: string]>
}
