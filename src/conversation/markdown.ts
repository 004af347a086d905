import { escapeHtml, fence, inline } from '../text/markdown-text.ts'
import type { Safe } from '../secrets/veil.ts'
import { printable } from '../text/printable.ts'
import type { JsonObject } from '../json/json-value.ts'
import type { Conversation } from './conversation.ts'
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
  visitConversation,
} from './print-part.ts'

/** A conversation in Markdown, for a pull request or a report. */
export function writeMarkdown(conversation: Safe<Conversation>, pictures: Pictures): string {
  return visitConversation<string[]>(conversation, {
    settings: ({ parameters, tools }) => [
      ...(parameters ? [`With\n\n${fence(printParameters(parameters))}`] : []),
      ...(tools ? [details(`Offers ${inline(nameTools(tools))}`, printTools(tools))] : []),
    ],
    dropped: ({ messages }) => [`*${messages} earlier messages are no longer sent*`],
    said: ({ role, parts, extra, userId, turn }) => {
      const text = printParts(parts, pictures)
      const user = userId === undefined ? '' : ` \`${inline(userId)}\``
      const title = role === 'system' ? '**System**' : `**User**${user} · turn ${turn}`
      return [...(role === 'tool' ? [fence(text)] : [title, quote(text)]), ...extraFields(extra)]
    },
    assistant: ({ text, calls, more = [], reasoning, extra, completion, turn, server }) => [
      server === undefined
        ? `**Assistant** · turn ${turn}`
        : `**MCP server** \`${inline(server)}\``,
      ...(reasoning ? [details('Reason', reasoning)] : []),
      ...(text ? [quote(text)] : []),
      ...(more.length > 0 ? [quote(printParts(more, pictures))] : []),
      ...calls.flatMap((call) => writeCall(call, pictures)),
      ...extraFields(extra),
      ...(completion?.error === undefined ? [] : [`**Error**\n\n${fence(completion.error)}`]),
      ...(completion?.incomplete ? ['*The answer stops here, before its end.*'] : []),
    ],
  })
    .flat()
    .join('\n\n')
}

function details(summary: string, text: string): string {
  return `<details><summary>${escapeHtml(summary)}</summary>\n\n${fence(text)}\n\n</details>`
}

function writeCall({ name, parameters, result, extra }: PairedCall, pictures: Pictures): string[] {
  const call = [`Calls \`${inline(name)}\``, fence(printValue(parameters))]
  if (result === undefined) return call
  return [...call, 'Result', fence(printResult(result, pictures)), ...extraFields(extra)]
}

/** The fields beside the parts of a message. */
function extraFields(extra: JsonObject | undefined): string[] {
  return extra ? [fence(printExtra(extra))] : []
}

function quote(text: string): string {
  return escapeHtml(printable(text)).replace(/^/gm, '> ')
}
