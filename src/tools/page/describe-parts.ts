import { isPlainText } from '../../providers/content.ts'
import type { Pictures } from '../../conversation/find-pictures.ts'
import { isBlobPart } from '../../conversation/print-part.ts'
import { isJsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Part } from '../../prompt/prompt.ts'
import { IMAGE, type ReportPart } from './data/report-data.ts'
import { showJson, showSpelled } from './show-text.ts'

type Blob = Part & { type: 'blob' }

/** Converts the parts of one thread for the page, and links each picture to the one before it. */
export class PartDescriber {
  readonly #pictures: Pictures
  readonly #shown: Set<string>
  #last?: string

  /** @param shown gets the names of all files that are shown */
  constructor(pictures: Pictures, shown: Set<string>) {
    this.#pictures = pictures
    this.#shown = shown
  }

  describe(parts: readonly Part[]): ReportPart[] {
    return parts.flatMap((part) => this.#describePart(part))
  }

  /** The parts of a tool result: texts, files, and other data. */
  describeResult(result: JsonValue): ReportPart[] {
    const items = Array.isArray(result) && result.some(isContent) ? result : [result]
    return items.map((item) =>
      isBlobPart(item)
        ? this.#describeBlob(item)
        : { type: 'text', text: showSpelled(isPlainText(item) ? item.text : item) },
    )
  }

  #describePart(part: Part): ReportPart[] {
    switch (part.type) {
      case 'text':
        return [{ type: 'text', text: part.text }]
      case 'reasoning':
        return [{ type: 'data', label: 'reasoning', text: part.text }]
      case 'tool_call':
        return [{ type: 'data', label: part.name, text: showJson(part.arguments) }]
      case 'tool_call_response':
        return this.describeResult(part.result)
      case 'blob':
        return [this.#describeBlob(part)]
      case 'uri':
        return [{ type: 'data', label: 'link', text: part.uri }]
      case 'other':
        return [{ type: 'data', label: kindOf(part.value), text: showJson(part.value) }]
    }
  }

  #describeBlob({ mimeType = 'file', hash, size }: Blob): ReportPart {
    const label = `${mimeType}, ${size.toLocaleString('en')} bytes`
    const file = this.#pictures.get(hash)?.name
    if (file === undefined) return { type: 'data', label, text: '' }
    this.#shown.add(file)
    if (!IMAGE.test(file)) return { type: 'file', file, label }
    const before = this.#last === file ? undefined : this.#last
    this.#last = file
    return { type: 'file', file, label, before }
  }
}

function kindOf(value: JsonValue): string {
  const type = isJsonObject(value) ? value.type : undefined
  return typeof type === 'string' ? type : 'data'
}

function isContent(item: JsonValue): boolean {
  return isPlainText(item) || isBlobPart(item)
}
