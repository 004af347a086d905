import { StringDecoder } from 'node:string_decoder'

/** Joins what comes in pieces to lines. */
export class Lines {
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''

  /** The lines that are whole with a piece more. */
  take(chunk: Buffer): string[] {
    const lines = (this.#rest + this.#decoder.write(chunk)).split(/\r?\n/)
    this.#rest = lines.pop()!
    return lines.filter((line) => line !== '')
  }
}
