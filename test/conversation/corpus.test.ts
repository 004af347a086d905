import pc from 'picocolors'
import { expect, test } from 'vitest'
import { readConversations } from '../../src/conversation/conversation.ts'
import { writeMarkdown, writeTranscript } from './as-shown.ts'
import { findPictures } from '../../src/conversation/find-pictures.ts'
import { readContext, writeContext } from '../../src/conversation/context-file.ts'
import { printable } from '../../src/text/printable.ts'
import { tryParseJson } from '../../src/json/json-value.ts'
import { corpusCassettes } from '../corpus-cassettes.ts'
import { eachCorpus } from '../corpus.ts'

/** What looks like raw JSON. */
const RAW = /\{"\w|":[[{"]/

eachCorpus((corpus) => {
  const cassettes = corpusCassettes(corpus)

  test('every cassette is shown without error, and without raw JSON where the dialect is known', () => {
    let shown = 0
    for (const cassette of cassettes) {
      const pictures = findPictures(cassette.exchanges)
      for (const conversation of readConversations(cassette)) {
        const options = { width: 1_000_000, full: true, colors: pc.createColors(false), pictures }
        const text = writeTranscript(conversation, options)
        expect(text).not.toBe('')
        expect(writeMarkdown(conversation, pictures)).not.toBe('')
        shown += conversation.steps.length
        if (conversation.steps.every(({ dialect }) => dialect === 'generic')) continue
        const said = textsOf(conversation.steps)
        const raw = text.split('\n').filter((line) => RAW.test(line))
        const unsaid = raw.filter((line) => !isSaid(line, said))
        expect(unsaid, conversation.steps[0]!.wire!.request.url).toEqual([])
      }
    }
    console.log(`${shown} exchanges in ${cassettes.length} cassettes shown`)
    expect(shown).toBe(corpus.length)
  })

  test('every conversation is a valid context', () => {
    for (const cassette of cassettes) {
      const pictures = findPictures(cassette.exchanges)
      for (const conversation of readConversations(cassette)) {
        const context = JSON.stringify(writeContext(conversation, pictures))
        expect(() => readContext(context, 'context')).not.toThrow()
      }
    }
  })
})

/** Whether a line is content, behind the mark of its entry and the names of its fields. */
function isSaid(line: string, said: string): boolean {
  const whole = line.replace(/^(?:[> ]*- |> |\s*[^\w\s]+ +(?:Reason: )?)/u, '').trim()
  // Parameters stand beside each other.
  const parts = whole.split(' · ').filter((part) => RAW.test(part))
  return parts.every((part) => {
    let content = part
    while (!said.includes(content)) {
      const field = /^[\w.$/-]+: /.exec(content)
      if (!field) return false
      content = content.slice(field[0].length)
    }
    return true
  })
}

/** All that was said in words, as a transcript would print it. */
function textsOf(steps: ReturnType<typeof readConversations>[number]['steps']): string {
  const texts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      texts.push(value)
      // A result that is JSON reads like what it spells.
      if (/^\s*[[{]/.test(value)) collect(tryParseJson(value))
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
  }
  for (const { prompt, completion } of steps) collect([prompt, completion])
  return printable(texts.join('\n').replaceAll('\r\n', '\n').replaceAll('\t', '  '))
}
