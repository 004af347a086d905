import { escapeHtml, fence, inline } from '../text/markdown-text.ts'
import { printable } from '../text/printable.ts'
import type { JsonObject } from '../json/json-value.ts'
import type { AssistantEntry, Conversation, Entry } from './conversation.ts'
import type { PairedCall } from './entries.ts'
import type { Pictures } from './find-pictures.ts'
import {
  nameTools,
  printExtra,
  printParameters,
  printParts,
  printResult,
  printTools,
  printValue,
  type Settings,
  settingsByExchange,
} from './print-part.ts'

/** A conversation in Markdown, for a pull request or a report. */
export function writeMarkdown(conversation: Conversation, pictures: Pictures): string {
  const settings = settingsByExchange(conversation)
  const blocks = conversation.entries.flatMap((entry) => {
    const own = settings.get(entry.exchange)
    settings.delete(entry.exchange)
    return [...(own ? writeSettings(own) : []), writeEntry(entry, pictures)]
  })
  return blocks.join('\n\n')
}

function writeSettings({ parameters, tools }: Settings): string[] {
  return [
    ...(parameters ? [`With\n\n${fence(printParameters(parameters))}`] : []),
    ...(tools ? [details(`Offers ${inline(nameTools(tools))}`, printTools(tools))] : []),
  ]
}

function details(summary: string, text: string): string {
  return `<details><summary>${escapeHtml(summary)}</summary>\n\n${fence(text)}\n\n</details>`
}

function writeEntry(entry: Entry, pictures: Pictures): string {
  switch (entry.role) {
    case 'dropped':
      return `*${entry.messages} earlier messages are no longer sent*`
    case 'system':
      return `**System**\n\n${quote(printParts(entry.parts, pictures))}${extraFields(entry.extra)}`
    case 'tool':
      return fence(printParts(entry.parts, pictures)) + extraFields(entry.extra)
    case 'user': {
      const user = entry.userId === undefined ? '' : ` \`${inline(entry.userId)}\``
      const text = quote(printParts(entry.parts, pictures))
      return `**User**${user} · turn ${entry.turn}\n\n${text}${extraFields(entry.extra)}`
    }
    case 'assistant':
      return writeAssistant(entry, pictures)
  }
}

function writeAssistant(entry: AssistantEntry, pictures: Pictures): string {
  const { text, calls, more = [], reasoning, extra, completion, turn, server } = entry
  return [
    server === undefined ? `**Assistant** · turn ${turn}` : `**MCP server** \`${inline(server)}\``,
    ...(reasoning ? [details('Reason', reasoning)] : []),
    ...(text ? [quote(text)] : []),
    ...(more.length > 0 ? [quote(printParts(more, pictures))] : []),
    ...calls.map((call) => writeCall(call, pictures)),
    ...(extra ? [fence(printExtra(extra))] : []),
    ...(completion?.error === undefined ? [] : [`**Error**\n\n${fence(completion.error)}`]),
    ...(completion?.incomplete ? ['*The answer stops here, before its end.*'] : []),
  ].join('\n\n')
}

function writeCall({ name, parameters, result, extra }: PairedCall, pictures: Pictures): string {
  const call = `Calls \`${inline(name)}\`\n\n${fence(printValue(parameters))}`
  return result === undefined
    ? call
    : `${call}\n\nResult\n\n${fence(printResult(result, pictures))}${extraFields(extra)}`
}

/** The fields beside the parts of a message. */
function extraFields(extra: JsonObject | undefined): string {
  return extra ? `\n\n${fence(printExtra(extra))}` : ''
}

function quote(text: string): string {
  return escapeHtml(printable(text)).replace(/^/gm, '> ')
}
