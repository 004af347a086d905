import { createHash } from 'node:crypto'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { keep } from '../keep.ts'

const openai = new OpenAI({ apiKey: 'sk-none', baseURL: `${process.env.FRONT_URL}/v1` })
const KINDS = ['jpg', 'png', 'gif', 'webp', 'wav', 'mp3', 'mp4', 'ogg', 'flac', 'pdf', 'zip', 'pcm']

/** Of these also as long as a song. */
const LONG = ['png', 'wav', 'mp3', 'pcm']

for (const [size, kinds] of [
  [4_096, KINDS],
  [4 * 2 ** 20, LONG],
] as const)
  for (const kind of kinds)
    test(`${kind} of ${size} bytes`, async ({ task }) => {
      const answer = await openai.audio.speech.create({
        model: 'tts-1',
        voice: 'alloy',
        input: task.name,
      })
      await keepFile(task.name, answer, size)
    })

test('a video', async () => {
  await keepFile('video', await openai.videos.downloadContent('video_1'), 4 * 2 ** 20)
})

test('a file of a container', async () => {
  const answer = await openai.containers.files.content.retrieve('cfile_1', {
    container_id: 'cntr_1',
  })
  await keepFile('container', answer, 4_096)
})

async function keepFile(name: string, answer: Response, size: number): Promise<void> {
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes).toHaveLength(size)
  keep(`media-${name}`, createHash('sha256').update(bytes).digest('hex'))
}
