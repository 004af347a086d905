import { StringDecoder } from 'node:string_decoder'

/** Joins pieces of a stream to lines. */
export class Lines {
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''

  /** Takes one more piece, and returns the lines that are complete now. */
  take(chunk: Buffer): string[] {
    const lines = (this.#rest + this.#decoder.write(chunk)).split(/\r?\n/)
    this.#rest = lines.pop()!
    return lines.filter((line) => line !== '')
  }
}
