import { expect, test, vi } from 'vitest'
import {
  askSpeakers,
  type Speaker,
  type SpeakerResult,
  type SpeakerStep,
} from '../../src/features/ask-speakers.ts'
import type { Session } from '../../src/engine/session.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'
import { coded, expectGolden, failureOf } from '../golden.ts'

function speaker(name: string, result: SpeakerResult, canHandle = true): Speaker {
  return { name, canHandle: () => canHandle, handleStep: async () => result }
}

function open(...speakers: Speaker[]): Session {
  return openExample(recorded([question('Hello'), 'Hi.']), { speakers })
}

const yes: SpeakerResult = { status: 'continue', answer: { text: 'Yes.' } }
const to = (nextSpeaker: string): SpeakerResult => ({ status: 'switch_speaker', nextSpeaker })

test('the first speaker that can handle a step answers it, and nobody else is asked', async () => {
  const [first, second] = [speaker('first', yes, false), speaker('second', yes)]
  const [asked, never] = [vi.spyOn(first, 'handleStep'), speaker('third', yes)]
  const spoken = await askSpeakers(open(first, second, never), question('Hello'))
  expect(spoken).toMatchObject({ found: { speaker: 'second' } })
  expect(asked).not.toHaveBeenCalled()
})

test('where no speaker can, the cassette and the provider answer as ever', async () => {
  expect(await askSpeakers(open(speaker('a', yes, false)), question('Hello'))).toEqual({
    by: 'either',
  })
})

test.each(['cassette', 'live'])(
  'a step that a speaker leaves to %s is not its own',
  async (name) => {
    expect(await askSpeakers(open(speaker('a', to(name))), question('Hello'))).toEqual({ by: name })
  },
)

test('a step that is left to another speaker is its own, which is not asked whether it can', async () => {
  const session = open(speaker('a', to('b')), speaker('b', yes, false))
  expect(await askSpeakers(session, question('Hello'))).toMatchObject({ found: { speaker: 'b' } })
})

test.each<[string, Speaker[], string]>([
  ['fails', [speaker('a', { status: 'failed', reason: 'no more lines' })], ': no more lines'],
  ['is done', [speaker('a', { status: 'done' })], '"a"'],
  ['names nobody', [speaker('a', to('b'))], ' a, cassette, live'],
  ['gets its step back', [speaker('a', to('b')), speaker('b', to('a'))], '"a"'],
])('a step of which a speaker %s is an error that says so', async (what, speakers, text) => {
  const asked = async (): Promise<unknown> => askSpeakers(open(...speakers), question('Hello'))
  await expect(asked()).rejects.toThrow(coded('speaker'))
  await expect(asked()).rejects.toThrow(text)
  await expectGolden(await failureOf(asked), what.replaceAll(' ', '-'))
})

test('a speaker is told the prompt and all that was said before it, by whom', async () => {
  const steps: SpeakerStep[] = []
  const guide: Speaker = {
    name: 'guide',
    canHandle: ({ prompt }) => prompt.messages.length > 1,
    handleStep(step) {
      steps.push(step)
      return yes
    },
  }
  const session = open(guide)
  session.answer(question('Hello'), { order: 0 })
  const messages = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hi.' },
    { role: 'user', content: 'Shall I go on?' },
  ]
  const asked = question('', { messages })
  const spoken = await askSpeakers(session, asked)
  expect(steps[0]!.prompt.messages).toHaveLength(3)
  expect(steps[0]!.conversation).toMatchObject([
    { completion: { text: 'Hi.' }, speaker: 'cassette' },
  ])
  session.answer(asked, { order: 1 }, undefined, 'found' in spoken ? spoken.found : undefined)
  expect(session.asked.map((one) => one.speaker)).toEqual([undefined, 'guide'])
})
