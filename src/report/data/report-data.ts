/** What the page loads before anything is opened. Everything a cassette says is text in here, made harmless. */
export interface ReportIndex {
  /** ISO 8601. */
  made: string
  version: string
  /** The date of the list prices. */
  prices: string
  /** The names of test files, which rows refer to by number. */
  files: string[]
  /** The names of models, which rows refer to by number. */
  models: ModelTotal[]
  rows: ReportRow[]
  failures: FailureRow[]
  /** What came of a rehearsal, in sentences, and the name of its file in the report. */
  rehearsal?: { id: string; conclusion: string[] }
  unread: UnreadCassette[]
  /** How many files hold the texts that are searched. */
  searchFiles: number
}

/** One cassette, as a line of the list. */
export interface ReportRow extends Figures {
  /** Names the files of the cassette in the report. */
  id: string
  /** The path of the cassette, as a person types it; what links say. */
  path: string
  /** Of {@link ReportIndex.files}. */
  file: number
  /** The titles of the test. */
  title: string
  /** Of {@link ReportIndex.models}. */
  models: number[]
  turns: number
  threads: number
  pictures: number
  /** The day on which it was recorded. */
  day: string
}

/** What exchanges took. A cost or a count that is not known is `null`. */
export interface Figures {
  exchanges: number
  input: number | null
  output: number | null
  cached: number
  reasoning: number
  /** US dollars. */
  cost: number | null
  /** Some of it has no price, so that the cost is a lower bound. */
  isAtLeast?: true
  ms: number
}

export interface ModelTotal extends Figures {
  name: string
}

/** What failed in the run that wrote the report: one failure, and the tests that it failed. */
export interface FailureRow {
  /** Names its file in the report. */
  id: string
  headline: string
  tests: FailedTest[]
}

export interface FailedTest {
  title: string
  /** The path of its cassette, which may not be there. */
  path: string
}

/** A failure in full. */
export interface ReportFailure {
  id: string
  lines: FailureLine[]
  pictures: PicturePair[]
}

/** A line of a failure as the terminal shows it. */
export interface FailureLine {
  kind: 'plain' | 'added' | 'removed' | 'quiet' | 'strong'
  spans: Array<{ text: string; marked?: true }>
}

/** A picture that was recorded, and the one that was asked in its place. */
export interface PicturePair {
  recorded?: string
  asked?: string
}

/** Answers of a rehearsal that differ from the recorded ones. */
export interface ReportRehearsal {
  id: string
  /** They behave otherwise, or the provider does not take the prompt. */
  others: RehearsedAnswer[]
  words: RehearsedAnswer[]
}

export interface RehearsedAnswer {
  /** Of the test. */
  title: string
  /** The path of the cassette. */
  path: string
  exchange: string
  verdict: string
  /** In what it behaves otherwise, or why it was not taken. */
  says: string[]
  recorded: string
  now?: string
}

export interface UnreadCassette {
  path: string
  problem: string
}

/** All of one cassette but its streams. */
export interface ReportCassette {
  id: string
  /** The path of the cassette, harmless to look at. */
  path: string
  timestamp: string
  /** What is to be known of the whole cassette: that it is invalid, or has parameters. */
  notes: string[]
  threads: ReportThread[]
}

export interface ReportThread {
  id: string
  model?: string
  /** Where it leaves another thread, in words. */
  branch?: string
  exchanges: ReportExchange[]
}

export interface ReportExchange extends Figures {
  id: string
  model?: string
  /** How it was asked: `openai.chat`. */
  operation: string
  method?: string
  url?: string
  status?: number
  finish: string[]
  notes: string[]
  /** How many events its answer came in; 0 where it was no stream. */
  events: number
  settings?: ReportSettings
  entries: ReportEntry[]
}

/** What a request says beside the conversation, where it is another one than before. */
export interface ReportSettings {
  parameters?: string
  tools?: Array<{ name: string; text: string }>
}

export interface ReportEntry {
  role: 'system' | 'user' | 'assistant' | 'tool' | 'dropped'
  /** The user as the request names one, or the MCP server that answered. */
  name?: string
  reasoning?: string
  parts: ReportPart[]
  calls: ReportCall[]
  /** What a message has beside its parts. */
  extra?: string
  error?: string
  /** The answer stops before its end. */
  isCut?: true
}

export type ReportPart =
  | { type: 'text'; text: string }
  | { type: 'data'; label: string; text: string }
  | {
      type: 'file'
      file: string
      label: string
      /** The picture before it in the thread. */ before?: string
    }

export interface ReportCall {
  name: string
  /** All parameters in one line, cut. */
  brief: string
  parameters: string
  result?: ReportPart[]
  extra?: string
}

/** The streams of a cassette as they came: the texts of their events by exchange. */
export interface ReportStreams {
  id: string
  exchanges: Record<string, StreamedEvent[]>
}

export interface StreamedEvent {
  name?: string
  data: string
}

/** The words of some cassettes, for the search. */
export interface SearchTexts {
  file: number
  texts: Array<[id: string, text: string]>
}
