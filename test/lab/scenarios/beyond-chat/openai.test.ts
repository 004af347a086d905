import { edited } from '../changed.ts'
import OpenAI, { toFile } from 'openai'
import { expect, test } from 'vitest'
import { keep } from '../keep.ts'
import { polled } from './polled.ts'

const openai = new OpenAI({ apiKey: 'sk-none', baseURL: `${process.env.FRONT_URL}/v1` })
const PICTURE = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(1_400, 7)])
const SOUND = Buffer.concat([
  Buffer.from('fffb9000', 'hex'),
  Buffer.alloc(Number(edited('1300', '1301')), 9),
])

test('a batch, from the file to its results', async () => {
  const lines = ['One', edited('Two', 'Three')].map((content) => {
    const body = { model: 'gpt-5', messages: [{ role: 'user', content }] }
    return JSON.stringify({ custom_id: content, method: 'POST', url: '/v1/chat/completions', body })
  })
  const file = await openai.files.create({
    file: await toFile(Buffer.from(lines.join('\n')), 'lines.jsonl'),
    purpose: 'batch',
  })
  const batch = await openai.batches.create({
    input_file_id: file.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  })
  const [states, ended] = await polled(
    () => openai.batches.retrieve(batch.id),
    ({ status }) => status === 'completed',
  )
  const content = await openai.files.content(ended.output_file_id!)
  keep('openai-batch', [file, states, await content.text()])
})

test('a response in the background', async () => {
  const started = await openai.responses.create({
    model: 'gpt-5',
    input: 'Take your time',
    background: true,
  })
  const [states, ended] = await polled(
    () => openai.responses.retrieve(started.id),
    ({ status }) => status === 'completed',
  )
  keep('openai-background', [started.status, states, ended.output_text])
})

test('a picture', async () => {
  const picture = await openai.images.generate({ model: 'gpt-image-1', prompt: 'A lawn' })
  keep('openai-picture', picture)
})

test('a picture from a picture', async () => {
  const picture = await openai.images.edit({
    model: 'gpt-image-1',
    image: await toFile(PICTURE, 'lawn.png', { type: 'image/png' }),
    prompt: edited('Mow the lawn', 'Water the lawn'),
  })
  keep('openai-edit', picture)
})

test('what was said', async () => {
  const heard = await openai.audio.transcriptions.create({
    model: 'whisper-1',
    file: await toFile(SOUND, 'speech.mp3', { type: 'audio/mpeg' }),
    language: 'de',
  })
  keep('openai-transcription', heard)
})

test('what is to be said', async () => {
  const answer = await openai.audio.speech.create({
    model: 'tts-1',
    voice: 'alloy',
    input: 'Hello',
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.subarray(0, 4).toString('hex')).toBe('fffb9000')
  keep('openai-speech', [answer.headers.get('content-type'), bytes.toString('hex')])
})

test('a judgement', async () => {
  const judged = await openai.moderations.create({ model: 'omni', input: 'war' })
  expect(judged._request_id).toMatch(/^req_\d+$/)
  keep('openai-moderation', [judged, judged._request_id])
})

test('a count', async () => {
  keep('openai-count', await openai.responses.inputTokens.count({ model: 'gpt-5', input: 'Hello' }))
})
