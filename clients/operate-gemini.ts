import type { Content, GenerateContentResponse, Models } from '@google/genai'
import { collect, lookUp, operation, questions, weather } from './operation.ts'
import { picture } from './picture.ts'

const model = 'gemini-3-pro'
const tools = [
  {
    functionDeclarations: [
      {
        name: lookUp.name,
        description: lookUp.description,
        parametersJsonSchema: lookUp.schema,
      },
    ],
  },
]

/** The operations of Google's client, which are the same for every way to sign in. */
export function operateGemini(models: Models, without: string[] = []): void {
  operation('chat', async () => answer(await models.generateContent(ask(questions.chat))))

  operation('stream', async () => {
    const chunks = await collect(await models.generateContentStream(ask(questions.stream)))
    return chunks.map(answer)
  })

  operation('tool call', async () =>
    answer(await models.generateContent({ ...ask(questions.tool), config: { tools } })),
  )

  operation('tool loop', async () => {
    const contents: Content[] = [{ role: 'user', parts: [{ text: questions.tool }] }]
    const first = await models.generateContent({ model, contents, config: { tools } })
    const call = first.functionCalls![0]!
    const response = { output: lookUp.result }
    contents.push(first.candidates![0]!.content!, {
      role: 'user',
      parts: [{ functionResponse: { id: call.id, name: call.name, response } }],
    })
    return answer(await models.generateContent({ model, contents, config: { tools } }))
  })

  operation('image', async () => {
    const inlineData = { mimeType: 'image/png', data: picture }
    const contents = [{ role: 'user', parts: [{ inlineData }, { text: questions.image }] }]
    return answer(await models.generateContent({ model, contents }))
  })

  operation('structured output', async () => {
    const config = { responseMimeType: 'application/json', responseJsonSchema: weather }
    return answer(await models.generateContent({ ...ask(questions.structured), config }))
  })

  if (without.includes('embeddings')) return
  operation('embeddings', async () => {
    const contents = questions.embeddings
    const { embeddings } = await models.embedContent({ model: 'gemini-embedding-001', contents })
    return embeddings
  })
}

function ask(contents: string): { model: string; contents: string } {
  return { model, contents }
}

/** All but the headers of the answer. */
function answer({ candidates, usageMetadata, modelVersion }: GenerateContentResponse): object {
  return { candidates, usageMetadata, modelVersion }
}
