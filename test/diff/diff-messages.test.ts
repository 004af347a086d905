import { expect, test } from 'vitest'
import { changesOf, summariesOf, textMessage, write } from './support-prompt.ts'
import { summarizeChange } from './as-shown.ts'

test('an inserted message is one addition, and what follows is unchanged', () => {
  const changes = changesOf((prompt) => prompt.messages.splice(2, 0, textMessage('user', 'Hurry!')))
  expect(changes).toMatchObject([
    { kind: 'added', place: { received: 3, unchangedBefore: 2, unchangedAfter: 7 } },
  ])
})

test('a removed message is one removal, numbered as it was recorded', () => {
  const changes = changesOf((prompt) => prompt.messages.splice(2, 1))
  expect(changes).toMatchObject([{ kind: 'removed', place: { recorded: 3, role: 'assistant' } }])
  expect(changes.map(summarizeChange)).toEqual([
    'recorded message 3 (assistant): removed ("Which order do you mean?")',
  ])
})

test('a message inserted beside an edited one leaves one addition and one edit', () => {
  const summaries = summariesOf((prompt) => {
    prompt.messages.splice(8, 1)
    prompt.messages.push(
      textMessage('user', 'You are being tested.'),
      textMessage('user', 'Summarise the newest ticket in one line'),
    )
  })
  expect(summaries).toEqual([
    'message 9 (user): added ("You are being tested.")',
    'message 10 (user, was 9): text edited ("last" → "newest")',
  ])
})

test('a moved message is one move', () => {
  const changes = changesOf((prompt) => {
    const [message] = prompt.messages.splice(1, 1)
    prompt.messages.splice(7, 0, message!)
  })
  expect(changes).toMatchObject([
    { kind: 'moved', place: { recorded: 2, received: 8, unchangedBefore: 7, unchangedAfter: 1 } },
  ])
})

test('another message in the same place is an edit when the role is the same', () => {
  expect(summariesOf((prompt) => write(prompt, 3, 'Never mind.'))).toEqual([
    'message 4 (user): text edited ("The last one, and the o…" → "Never mind.")',
  ])
})

test('another message of another role is a removal and an addition', () => {
  const summaries = summariesOf(
    (prompt) => (prompt.messages[3] = textMessage('tool', 'Never mind.')),
  )
  expect(summaries).toEqual([
    'recorded message 4 (user): removed ("The last one, and the o…")',
    'message 4 (tool): added ("Never mind.")',
  ])
})

test('messages far apart fold what stands between them', () => {
  const changes = changesOf((prompt) => {
    write(prompt, 0, 'You are kind.')
    write(prompt, 8, 'Summarise it')
  })
  const places = changes.map((change) => change.place)
  expect(places).toMatchObject([
    { unchangedBefore: 0, unchangedAfter: 0 },
    { unchangedBefore: 7, unchangedAfter: 0 },
  ])
})
