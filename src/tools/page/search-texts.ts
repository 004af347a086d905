import type { ReportFolder } from './report-folder.ts'
import {
  type ReportEntry,
  type ReportThread,
  type SearchTexts,
  textOfPart,
} from './data/report-data.ts'

/** The approximate number of characters in a file. The page loads all files for a search. */
const FILE_SIZE = 2 ** 20

/** Writes the texts for the search into files of their own, which load with the first search. */
export class SearchTextWriter {
  readonly #target: ReportFolder
  #texts: SearchTexts['texts'] = []
  #size = 0
  #files = 0

  constructor(target: ReportFolder) {
    this.#target = target
  }

  add(id: string, title: string, threads: readonly ReportThread[]): void {
    const said = threads.flatMap(({ exchanges }) =>
      exchanges.flatMap(({ entries, settings }) => [
        ...entries.flatMap(textsOf),
        ...(settings?.tools ?? []).map(({ name }) => name),
      ]),
    )
    const text = [title, ...said].join('\n')
    this.#texts.push([id, text])
    this.#size += text.length
    if (this.#size > FILE_SIZE) this.#flush()
  }

  /** Writes the last file, and returns the number of files. */
  finish(): number {
    if (this.#texts.length > 0) this.#flush()
    return this.#files
  }

  #flush(): void {
    const texts: SearchTexts = { texts: this.#texts }
    this.#target.writeData(`texts-${this.#files++}`, texts)
    this.#texts = []
    this.#size = 0
  }
}

function textsOf({ name, reasoning, parts, calls, error }: ReportEntry): string[] {
  return [
    ...[name, reasoning, error].filter((text) => text !== undefined),
    ...parts.map(textOfPart),
    ...calls.flatMap(({ name, parameters, result = [] }) => [
      name,
      parameters,
      ...result.map(textOfPart),
    ]),
  ]
}
