// Asks twice with the SDK of OpenAI, which reads its address and its key by itself.
import OpenAI from 'openai'

const openai = new OpenAI({ maxRetries: 3 })
const asked = (content) => ({ model: 'gpt-5', messages: [{ role: 'user', content }] })
try {
  const { choices } = await openai.chat.completions.create(asked(process.env.QUESTION))
  console.log(choices[0].message.content)
} catch (error) {
  console.log(error.message)
}
const stream = await openai.chat.completions.create({ ...asked('slow'), stream: true })
for await (const chunk of stream) console.log(JSON.stringify(chunk))
