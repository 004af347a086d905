/** The kind of an error, as a word that programs can switch on. */
export type ErrorCode =
  /** An option that does not exist or has a value it cannot have. */
  | 'invalid-option'
  /** `RECORD` or another environment variable has a value it cannot have. */
  | 'invalid-environment'
  /** A Node that is too old to run this package. */
  | 'unsupported-node'
  /** A Vitest that is too old to run this package. */
  | 'unsupported-vitest'
  /** Recording was asked for where it is refused, such as on CI. */
  | 'recording-refused'
  /** A value that JSON cannot carry, or JSON that is nested too deeply. */
  | 'invalid-json'
  /** A cassette that cannot be read: corrupt, conflicted, too new, a symlink, too large. */
  | 'invalid-cassette'
  /** A cassette that is too old or otherwise no longer valid, where the option `invalid` makes that a failure. */
  | 'invalid-recording'
  /** A request that no exchange of the cassette answers. */
  | 'miss'
  /** A recording with something that looks like a credential, and is therefore not saved. */
  | 'secret'
  /** A speaker of a test that does not answer: it failed, or says that the conversation is done. */
  | 'speaker'
  /** Exchanges that the test did not ask for, or faults that it declares and that never happened. */
  | 'unused'
  /** A recording that ended in an error of the provider and is therefore not saved. */
  | 'recording-failed'
  /** A recording that could not be written; it is kept outside of git. */
  | 'unwritten'
  /** A request that belongs to no running test. */
  | 'outside-test'
  /** A request or a connection to a provider that can be neither recorded nor replayed, and is not sent. */
  | 'refused'
  /** Something is asked of a cassette that was not observed. */
  | 'unobserved'
  /** A context file that breaks one of the rules of the LLM context format. */
  | 'invalid-context'
  /** A stored conversation that cannot be read, or an id that belongs to none. */
  | 'invalid-conversation'
  /** A price table that cannot be read. */
  | 'invalid-prices'
  /** A command line that names something that does not exist. */
  | 'invalid-command'
  /** A fault of this package. */
  | 'internal'

/**
 * The one error class of this package. Its message says what happened, where, and which command or
 * option settles it; `code` is stable across releases, the message is not.
 */
export class CassetteError extends Error {
  /** The kind of the error, as a word. */
  readonly code: ErrorCode
  /** Recognises errors of other copies of this package, which `instanceof` does not. */
  readonly isCassetteError = true

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CassetteError'
    this.code = code
  }

  /** True for the errors of any copy of this package. */
  static isInstance(error: unknown): error is CassetteError {
    return typeof error === 'object' && error !== null && 'isCassetteError' in error
  }
}

/** An error of this package as it is; any other one as a failure of this package. */
export function asCassetteError(error: Error): CassetteError {
  if (CassetteError.isInstance(error)) return error
  return new CassetteError('internal', `vitest-cassette failed: ${error.message}`, { cause: error })
}

/** Gives an error the frames of the code that it is about: its own lie in this package. Returns the error. */
export function withFrames(error: CassetteError, frames: readonly string[]): CassetteError {
  error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n')
  return error
}

/** The lines of an error's stack that name a place in code. */
export function stackLines(error: Error | undefined): string[] {
  return error?.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
}

/**
 * An error whose stack names the line that runs now.
 *
 * @param frames the length of the stack; by default enough for an SDK and the code that called it
 */
export function captureCallSite(what: string, frames: number = 50): Error {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = frames
  const callSite = new Error(what)
  Error.stackTraceLimit = stackTraceLimit
  return callSite
}

/** The message of a call site that names the line which started a program, not the one that made a request. */
export const STARTED_HERE = 'started here'
