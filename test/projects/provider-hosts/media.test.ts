import { createHash } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const { PORT, POLLS = '3', RESULTS } = process.env

/** Submits a job, looks after it so often, and fetches its result. */
const providers: Record<string, [submit: string, poll: string, result: string]> = {
  'black forest labs': [
    'api.bfl.ai/v1/flux-pro',
    'api.bfl.ai/v1/get_result?id=7',
    'api.bfl.ai/v1/results/7',
  ],
  fal: [
    'queue.fal.run/fal-ai/flux',
    'queue.fal.run/fal-ai/flux/requests/7/status',
    'queue.fal.run/fal-ai/flux/requests/7',
  ],
  luma: [
    'api.lumalabs.ai/dream-machine/v1/generations',
    'api.lumalabs.ai/dream-machine/v1/generations/7',
    'api.lumalabs.ai/dream-machine/v1/generations/7/video',
  ],
  assemblyai: [
    'api.assemblyai.com/v2/transcript',
    'api.assemblyai.com/v2/transcript/7',
    'api.assemblyai.com/v2/transcript/7/srt',
  ],
  kling: [
    'api.klingai.com/v1/videos/text2video',
    'api.klingai.com/v1/videos/text2video/7',
    'api.klingai.com/v1/videos/7/file',
  ],
}

test.each(Object.entries(providers))('%s', async (name, paths) => {
  const [submit, poll, result] = paths.map((path) => `http://${path.replace('/', `:${PORT}/`)}`)
  const job = await fetch(submit!, { method: 'POST', body: '{"prompt":"A lamp"}' })
  const states: string[] = [await job.text()]
  for (let time = 0; time < Number(POLLS); time++) states.push(await (await fetch(poll!)).text())
  const bytes = Buffer.from(await (await fetch(result!)).arrayBuffer())
  expect(bytes.length).toBeGreaterThan(4_096)
  const hash = createHash('sha256').update(bytes).digest('hex')
  appendFileSync(RESULTS!, `${JSON.stringify([name, ...states, hash])}\n`)
})
