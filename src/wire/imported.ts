/**
 * What the recording of another tool does not tell about a request. What it does not tell does not count when the
 * request is compared; all else does.
 */
export interface Imported {
  /** The format of the file that it comes from. */
  from: string
  /** The parts that are unknown; something else stands in their place. */
  unknown?: UnknownPart[]
  /** The kind of a body that is unknown, where the headers tell it. */
  kind?: BodyKind
  /** The tool parsed the body and wrote it anew: the order of keys is lost. */
  respelled?: true
  /** The texts that the tool put in the place of others. Each stands for any text. */
  redacted?: string[]
}

/** A part of a request. */
export type UnknownPart = 'method' | 'host' | 'path' | 'headers' | 'body'

/** What a content type tells about a body. */
export type BodyKind = 'json' | 'form'

/** Stands for a host that is unknown. The top-level domain is reserved: nothing can be asked there. */
export const UNKNOWN_HOST = 'unknown.invalid'

/** Stands for what was redacted in a host, where no other text can stand. */
export const REDACTED_LABEL = 'redacted'

/**
 * Whether the body of a request is unknown. Its exchange answers in mode `prompts` alone, and takes over the prompt that
 * it answers.
 */
export function isUnasked({ imported }: { imported?: Imported }): boolean {
  return imported?.unknown?.includes('body') ?? false
}
