import { expect, test } from 'vitest'
import { scenario, whole } from './lab.ts'

scenario('drift', (made) => {
  test.for([
    ['the model', 'model', 'gpt-5', 'gpt-5-mini'],
    ['the temperature', 'temperature', '0', '0.2'],
    ['the system prompt', 'message 1 system', 'kind', 'formal'],
    ['the history', 'message 2 user', 'bicycle.', 'tricycle.'],
    ['the first word of the user', 'message 4 user', 'Please', 'Kindly'],
    ['the last word of the user', 'message 4 user', 'now', 'today'],
    ['the description of a tool', 'tool "look_up_order" description', 'Looks up', 'Finds'],
    [
      'the order of arguments',
      'tool "look_up_order" parameters.properties (order)',
      'number, detail',
      'detail, number',
    ],
    ['the route of a gateway', 'header x-portkey-provider', 'openai', 'groq'],
    ['the format of the answer', 'header accept', undefined, 'audio/mpeg'],
    ['the host of a model', 'provider', 'localhost', 'qwen.localhost'],
    [
      'the order of two messages',
      'message 3 user, was 2',
      undefined,
      'I have ordered a red bicycle.',
    ],
  ])('a single edit fails the test and is all that is named: %s', async ([title, ...change]) => {
    const [place, before, after] = change
    const changed = made('changed')
    expect(changed.code(title!)).toBe('miss')
    expect(changed.changes(title!)).toEqual([{ place, before, after }])
    const golden = `golden/drift/${title!.replaceAll(' ', '-')}.txt`
    await expect(changed.text(title!)).toMatchFileSnapshot(golden)
  })

  test('a run without -u says nothing of accepting prompts that changed', () => {
    expect(whole('changed').output).toMatch(/^ *Exchanges {2}/m)
    expect(whole('changed').output).not.toMatch(/^ *Accept {2}/m)
  })

  test('the same request passes, beside tests that fail', () => {
    expect(made('changed').titles('passed')).toEqual(['nothing at all'])
  })
})
