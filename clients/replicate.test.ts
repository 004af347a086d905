import Replicate from 'replicate'
import { collect, operation, questions, upstream } from './operation.ts'
import { picture } from './picture.ts'

const replicate = new Replicate({ auth: 'none', baseUrl: upstream('/v1') })
const model = 'meta/meta-llama-3-8b-instruct'

operation('chat', async () => {
  const pieces = await replicate.run(model, { input: { prompt: questions.chat } })
  return (pieces as string[]).join('')
})

operation('stream', async () => {
  const events = await collect(replicate.stream(model, { input: { prompt: questions.stream } }))
  return events.map(({ event, data }) => ({ event, data }))
})

operation('image', () => {
  const image = `data:image/png;base64,${picture}`
  return replicate.run('meta/llava', { input: { prompt: questions.image, image } })
})
