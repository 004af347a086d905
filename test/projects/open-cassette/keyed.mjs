// Asks by an SDK that refuses to start without a key, and reads the key itself too.
import { openCassette } from 'vitest-cassette/open-cassette'
import OpenAI from 'openai'

const { CASSETTE = 'keyed' } = process.env
const environment = process.env
const told = { answers: [], keys: [], errors: [] }
const note = () => told.keys.push(process.env.OPENAI_API_KEY ?? null)

note()
for (const content of ['Hello', 'Bye']) {
  const cassette = openCassette({ path: `cassettes/${CASSETTE}-${content}.json` })
  note()
  try {
    const openai = new OpenAI({ baseURL: `${process.env.UPSTREAM_URL}/v1`, maxRetries: 0 })
    const messages = [{ role: 'user', content }]
    const { choices } = await openai.chat.completions.create({ model: 'gpt-5', messages })
    told.answers.push(choices[0].message.content)
  } catch (error) {
    told.errors.push(error.message)
  }
  await cassette.close().catch((error) => told.errors.push(error.message))
  note()
}
told.restored = process.env === environment
told.shown = Object.keys(process.env).includes('OPENAI_API_KEY')
console.log(JSON.stringify(told))
