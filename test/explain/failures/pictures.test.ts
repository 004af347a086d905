import { expect, test } from 'vitest'
import { answerByPictures } from '../../../src/transports/intercept/answer/beyond-replay.ts'
import type { Incoming } from '../../../src/engine/incoming.ts'
import { judgeAttempt } from '../as-reported.ts'
import type { Session } from '../../../src/engine/session.ts'
import type { JsonValue } from '../../../src/json/json-value.ts'
import { readText } from '../../../src/wire/body.ts'
import { openExample, question, recorded } from '../../engine/example-session.ts'
import { screenshot } from '../../engine/screens.ts'
import { dialectFor } from '../../../src/engine/read-prompt.ts'
import { expectGolden } from '../../golden.ts'

const images = { match: 'phash', threshold: 2 } as const

test('a conversation that leaves its recording with a picture says so, and is replayed as it went on', async () => {
  const cassette = recorded(
    [conversation(await screenshot()), 'one'],
    [conversation(await screenshot(), 'one', await screenshot()), 'two'],
  )
  const session = openExample(cassette, { images, mode: 'new' })
  const moved = await screenshot({ shift: 1 })
  const other = await screenshot({ button: 'none' })
  expect(await ask(session, conversation(moved))).toBe('one')
  expect(await ask(session, conversation(moved, 'one', other))).toBe('live')
  const { save, handOvers } = judgeAttempt(session, { passed: true, now: new Date(), color: false })
  const [{ headline, text, pictures }] = handOvers as [NonNullable<typeof handOvers>[number]]
  expect(headline).toMatch(/ 2 of 2: message 3 .* edited$/)
  const [distance] = /distance .*/.exec(text)!
  expect(distance).toMatch(/ \d+ of 64 .* 2$/)
  await expectGolden(distance.replace(/\d+/, '<number>'), 'distance')
  expect(pictures!.map(({ bytes }) => Buffer.from(bytes).toString('base64'))).toEqual([other])

  const again = openExample(save, { images })
  const still = await screenshot({ button: 'none', shift: 1 })
  expect(await ask(again, conversation(await screenshot()))).toBe('one')
  expect(await ask(again, conversation(await screenshot(), 'one', still))).toBe('live')
})

test('no more than three pictures are shown, and the others are counted', async () => {
  const shown = Array.from({ length: 5 }, () => 0)
  const before = await Promise.all(shown.map((_, at) => screenshot({ shift: at })))
  const after = await Promise.all(shown.map((_, at) => screenshot({ shift: at, button: 'none' })))
  const session = openExample(recorded([conversation(...before), 'one']), { images })
  expect(await ask(session, conversation(...after))).toBe('refuse')
  const { failure } = judgeAttempt(session, { passed: true, now: new Date(), color: false })
  expect(failure!.details.match(/ {2}picture /g)).toHaveLength(3)
  expect(failure!.details).toContain('and 2 more')
  expect(failure!.pictures).toHaveLength(3)
})

/** Asks as interception does; what goes live is answered with `live`. */
async function ask(session: Session, incoming: Incoming): Promise<string> {
  const answer = await answerByPictures(session, incoming, { order: session.asked.length })
  if (answer.action === 'record') {
    const body = { choices: [{ message: { content: 'live' }, finish_reason: 'stop' }] }
    const headers = { 'content-type': 'application/json' }
    answer.recording.response = { status: 200, headers, body: readText(JSON.stringify(body)) }
    answer.recording.durationMs = 1
    return 'live'
  }
  if (answer.action !== 'replay') return answer.action
  return dialectFor(incoming).readCompletion(answer.response).text
}

/** What the user and the assistant say by turns; pictures are told by their length. */
function conversation(...said: string[]): Incoming {
  const messages = said.map((text, index): JsonValue => {
    if (text.length < 1_000) return { role: 'assistant', content: text }
    const image_url = { url: `data:image/png;base64,${text}` }
    const words = { type: 'text', text: `Look, ${index}` }
    return { role: 'user', content: [words, { type: 'image_url', image_url }] }
  })
  return question('', { messages })
}
