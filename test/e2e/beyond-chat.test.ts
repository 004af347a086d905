import { beforeAll, expect, test } from 'vitest'
import { recordAndReplay } from './record-and-replay.ts'
import { VitestProject, type Run } from './vitest-project.ts'

let project: VitestProject
let env: Record<string, string>
let recording: Run
let replay: Run

beforeAll(
  async () => void ({ project, env, recording, replay } = await recordAndReplay('beyond-chat')),
)

test('files, batches, pictures, sound and counts are recorded, and replayed offline', () => {
  expect(recording.exitCode, recording.output).toBe(0)
  expect(replay.exitCode, replay.output).toBe(0)
  const results = project.files('recorded')
  expect(results).toHaveLength(30)
  for (const file of results)
    expect(project.read(`replayed/${file}`)).toBe(project.read(`recorded/${file}`))
})

test('every poll is an exchange of its own, answered in the order recorded', () => {
  const exchanges = project.exchanges('a-response-in-the-background')
  expect(exchanges.map(({ prompt, response }) => [prompt.text, response.finish_reasons])).toEqual([
    ['Take your time', ['queued']],
    [expect.stringMatching(/^GET \/v1\/responses\/resp_\d+$/), ['queued']],
    [expect.stringMatching(/^GET \/v1\/responses\/resp_\d+$/), ['in_progress']],
    [expect.stringMatching(/^GET \/v1\/responses\/resp_\d+$/), ['completed']],
  ])
  expect(exchanges.at(-1).response).toMatchObject({
    text: 'It took its time.',
    usage: { input_tokens: 9, output_tokens: 5 },
  })
  const batch = project.exchanges('a-batch-from-the-file-to-its-results')
  const operations = batch.map(({ prompt }) => prompt.metadata.operation)
  expect(operations).toEqual(['files', 'batches', 'batches', 'batches', 'batches', 'content'])
})

test('polls stand in the conversation that they look after, and say nothing in it', async () => {
  const shown = await project.cli('show background --no-emoji')
  expect(shown.output).toContain('Take your time')
  expect(shown.output).toContain('It took its time.')
  expect(shown.output).not.toMatch(/thread-2|\(nothing\)|queued/)
})

test('pictures and sound are files that a person can open', () => {
  const blobs = project.files('__recordings__/blobs')
  const counts = Map.groupBy(blobs, (file) => file.slice(65))
  expect([...counts].map(([kind, { length }]) => `${kind} ${length}`).toSorted()).toEqual([
    'flac 1',
    'gif 1',
    'jpg 1',
    'mp3 3',
    'mp4 2',
    'ogg 1',
    'pdf 1',
    'png 5',
    'wav 2',
    'webp 1',
    'zip 1',
  ])
  const [edit] = project.exchanges('a-picture-from-a-picture')
  expect(edit.prompt.text).toBe('user: Mow the lawn\nuser: [image/png, 1408 bytes]')
  expect(edit.response.text).toBe('{"created":1,"data":[{"b64_json":"[2009 bytes]"}]}')
  expect(project.exchanges('what-was-said')[0].response.text).toBe('I heard 1304 bytes.')
})

test('an edited part of a form fails with a diff of that part; its boundary is never compared', async () => {
  const edited = new VitestProject(project.dir, { ...env, RESULTS: 'edited' })
  edited.edit('openai.test.ts', "'Mow the lawn'", "'Water the lawn'")
  edited.edit('openai.test.ts', 'alloc(1_300, 9)', 'alloc(1_301, 9)')
  edited.edit('openai.test.ts', "['One', 'Two']", "['One', 'Three']")
  edited.edit('anthropic.test.ts', "['One', 'Two']", "['One', 'Three']")
  edited.edit('anthropic.test.ts', "'Mow the lawn.'", "'Mow the grass.'")
  const { output } = await edited.run()
  expect(output).toContain('Tests  5 failed | 25 passed')
  expect(output).toContain('message 1 (user): text edited ("Mow" → "Water")')
  expect(output).toContain('- audio/mpeg, 1,[-304-] bytes')
  expect(output).toContain('+ audio/mpeg, 1,{+305+} bytes')
  expect(output).toContain('- {"custom_id":"[-Two-]"')
  expect(output).toContain('requests[1].params.messages[0].content')
  expect(output).toMatch(/- Mow the lawn\.\n +\+ Mow the grass\./)
})
