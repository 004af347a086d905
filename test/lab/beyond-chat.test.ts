import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

scenario('beyond-chat', (made) => {
  test('files, batches, pictures, sound and counts are recorded, and replayed offline', () => {
    const { results } = made('record')
    expect(results).toHaveLength(30)
    for (const run of ['replay', 'without isolation'] as const) {
      expect(made(run).titles('failed')).toEqual([])
      for (const name of results)
        expect([name, made(run).result(name)]).toEqual([name, made('record').result(name)])
    }
  })

  test('every poll is an exchange of its own, answered in the order recorded', () => {
    const exchanges = made('record').exchanges('a-response-in-the-background')
    expect(exchanges.map(({ prompt, response }) => [prompt.text, response.finish_reasons])).toEqual(
      [
        ['Take your time', ['queued']],
        [expect.stringMatching(/^GET \/v1\/responses\/resp_\d+$/), ['queued']],
        [expect.stringMatching(/^GET \/v1\/responses\/resp_\d+$/), ['in_progress']],
        [expect.stringMatching(/^GET \/v1\/responses\/resp_\d+$/), ['completed']],
      ],
    )
    expect(exchanges.at(-1).response).toMatchObject({
      text: 'It took its time.',
      usage: { input_tokens: 9, output_tokens: 5 },
    })
    const batch = made('record').exchanges('a-batch-from-the-file-to-its-results')
    const operations = batch.map(({ prompt }) => prompt.metadata.operation)
    expect(operations).toEqual(['files', 'batches', 'batches', 'batches', 'batches', 'content'])
  })

  test('polls stand in the conversation that they look after, and say nothing in it', async () => {
    const { code, out } = await made('record').cli('show', 'background', '--no-emoji')
    expect(code).toBe(0)
    await expect(out).toMatchFileSnapshot('golden/beyond-chat/polls.txt')
  })

  test('pictures and sound are files that a person can open', () => {
    const blobs = Object.keys(made('record').after).filter((path) => path.startsWith('blobs/'))
    const counts = Map.groupBy(blobs, (path) => path.split('.').at(-1))
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
    const [edit] = made('record').exchanges('a-picture-from-a-picture')
    expect(edit.prompt.text).toBe('user: Mow the lawn\nuser: [image/png, 1408 bytes]')
    expect(edit.response.text).toBe('{"created":1,"data":[{"b64_json":"[2009 bytes]"}]}')
    expect(made('record').exchanges('what-was-said')[0].response.text).toBe('I heard 1304 bytes.')
  })

  test('an edited part of a form fails, and is what is named; its boundary is never compared', () => {
    const changed = made('changed')
    expect(changed.titles('passed')).toHaveLength(25)
    const changes = changed.tests
      .filter(({ state }) => state === 'failed')
      .map(({ file, title, cassette }) => [`${file} > ${title}`, cassette.missed![0]!.changes])
    expect(Object.fromEntries(changes)).toMatchInlineSnapshot(`
      {
        "anthropic.test.ts > a batch, from the messages to their results": [
          {
            "after": "Three",
            "before": "Two",
            "place": "requests[1].custom_id",
          },
          {
            "after": "Three",
            "before": "Two",
            "place": "requests[1].params.messages[0].content",
          },
        ],
        "anthropic.test.ts > a file": [
          {
            "after": "grass.",
            "before": "lawn.",
            "place": "message 1 user",
          },
        ],
        "openai.test.ts > a batch, from the file to its results": [
          {
            "after": "{"custom_id":"Three","method":"POST","url":"/v1/chat/completions","body":{"model":"gpt-5","messages":[{"role":"user","content":"Three"}]}}",
            "before": "{"custom_id":"Two","method":"POST","url":"/v1/chat/completions","body":{"model":"gpt-5","messages":[{"role":"user","content":"Two"}]}}",
            "place": "message 1 user",
          },
        ],
        "openai.test.ts > a picture from a picture": [
          {
            "after": "Water",
            "before": "Mow",
            "place": "message 1 user",
          },
        ],
        "openai.test.ts > what was said": [
          {
            "after": "1,305 bytes, sha256 ea7fb6b34cab",
            "before": "1,304 bytes, sha256 527d5225183c",
            "place": "message 1 user attachment",
          },
        ],
      }
    `)
  })
})
