import { questionsOf, type Run, runTool, SYSTEM, TOOLS } from './agent.ts'

/** Runs the agent with OpenAI's chat completions. Like all of these, it returns the last word on each question. */
export async function runChat(client: any, run: Run): Promise<string[]> {
  const answers: string[] = []
  const messages: any[] = [{ role: 'system', content: SYSTEM }]
  const tools = TOOLS.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
  for (const question of questionsOf(run)) {
    messages.push({ role: 'user', content: question })
    for (;;) {
      const asked = {
        model: 'gpt-4.1',
        messages: [...messages],
        tools,
        temperature: 0.2,
        max_tokens: 200,
      }
      const message =
        run.variant === 'stream'
          ? await joinChat(
              await client.chat.completions.create({
                ...asked,
                stream: true,
                stream_options: { include_usage: true },
              }),
            )
          : (await client.chat.completions.create(asked)).choices[0].message
      messages.push(message)
      if (!message.tool_calls?.length) {
        answers.push(message.content)
        break
      }
      for (const { id, function: called } of message.tool_calls)
        messages.push({
          role: 'tool',
          tool_call_id: id,
          content: runTool(called.name, JSON.parse(called.arguments)),
        })
    }
  }
  return answers
}

async function joinChat(stream: AsyncIterable<any>): Promise<any> {
  let content = ''
  const calls: any[] = []
  for await (const { choices } of stream) {
    const delta = choices[0]?.delta ?? {}
    content += delta.content ?? ''
    for (const { index, id, function: called } of delta.tool_calls ?? []) {
      calls[index] ??= { id, type: 'function', function: { name: called.name, arguments: '' } }
      calls[index].function.arguments += called.arguments ?? ''
    }
  }
  return {
    role: 'assistant',
    content: content || null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
}

/** Runs the agent with OpenAI's responses. */
export async function runResponses(client: any, run: Run): Promise<string[]> {
  const answers: string[] = []
  const input: any[] = []
  const tools = TOOLS.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    parameters,
    strict: true,
  }))
  for (const question of questionsOf(run)) {
    input.push({ role: 'user', content: question })
    for (;;) {
      const asked = {
        model: 'gpt-4.1',
        instructions: SYSTEM,
        input: [...input],
        tools,
        temperature: 0.2,
        max_output_tokens: 200,
      }
      const { output } =
        run.variant === 'stream'
          ? await joinResponse(await client.responses.create({ ...asked, stream: true }))
          : await client.responses.create(asked)
      input.push(...output)
      const calls = output.filter(({ type }: any) => type === 'function_call')
      if (calls.length === 0) {
        answers.push(output.at(-1).content[0].text)
        break
      }
      for (const { call_id, name, arguments: given } of calls)
        input.push({
          type: 'function_call_output',
          call_id,
          output: runTool(name, JSON.parse(given)),
        })
    }
  }
  return answers
}

async function joinResponse(stream: AsyncIterable<any>): Promise<any> {
  let response
  for await (const event of stream) if (event.type === 'response.completed') ({ response } = event)
  return response
}

/** Runs the agent with Anthropic's messages. */
export async function runMessages(client: any, run: Run): Promise<string[]> {
  const answers: string[] = []
  const messages: any[] = []
  const tools = TOOLS.map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: parameters,
  }))
  for (const question of questionsOf(run)) {
    messages.push({ role: 'user', content: question })
    for (;;) {
      const asked = {
        model: 'claude-opus-5',
        system: SYSTEM,
        messages: [...messages],
        tools,
        max_tokens: 200,
        temperature: 0.2,
      }
      const { content } =
        run.variant === 'stream'
          ? await joinMessage(await client.messages.create({ ...asked, stream: true }))
          : await client.messages.create(asked)
      messages.push({ role: 'assistant', content })
      const calls = content.filter(({ type }: any) => type === 'tool_use')
      if (calls.length === 0) {
        answers.push(content.at(-1).text)
        break
      }
      messages.push({
        role: 'user',
        content: calls.map(({ id, name, input }: any) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: runTool(name, input),
        })),
      })
    }
  }
  return answers
}

async function joinMessage(stream: AsyncIterable<any>): Promise<any> {
  const content: any[] = []
  for await (const { type, index, content_block: block, delta } of stream) {
    if (type === 'content_block_start')
      content[index] = block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: '' }
    if (delta?.type === 'text_delta') content[index].text += delta.text
    if (delta?.type === 'input_json_delta') content[index].input += delta.partial_json
  }
  return {
    content: content.map((block) =>
      block.type === 'text' ? block : { ...block, input: JSON.parse(block.input) },
    ),
  }
}

/** Runs the agent with a version of the AI SDK. */
export async function runAiSdk(ai: any, model: any, more: object, run: Run): Promise<string[]> {
  const answers: string[] = []
  const messages: any[] = []
  const tools = Object.fromEntries(
    TOOLS.map(({ name, description, parameters, run }) => [
      name,
      ai.tool({
        description,
        // One of the two is read, by the version.
        parameters: ai.jsonSchema(parameters),
        inputSchema: ai.jsonSchema(parameters),
        execute: async (input: any) => run(input),
      }),
    ]),
  )
  for (const question of questionsOf(run)) {
    messages.push({ role: 'user', content: question })
    const asked = {
      model,
      system: SYSTEM,
      messages: [...messages],
      tools,
      temperature: 0.2,
      maxRetries: 0,
      ...more,
    }
    if (run.variant === 'stream') {
      const answer = ai.streamText({ ...asked, onError: ({ error }: any) => void error })
      await answer.consumeStream()
      answers.push(await answer.text)
      messages.push(...((await answer.responseMessages) ?? (await answer.response).messages))
    } else {
      const answer = await ai.generateText(asked)
      answers.push(answer.text)
      messages.push(...(answer.responseMessages ?? answer.response.messages))
    }
  }
  return answers
}

/** Runs the agent with LangChain, whose callbacks are those of a tracer. */
export async function runLangChain(
  model: any,
  { HumanMessage, SystemMessage, ToolMessage }: any,
  callbacks: unknown,
  run: Run,
): Promise<string[]> {
  const tools = TOOLS.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
  const chain = model.bindTools(tools)
  const answers: string[] = []
  const messages: any[] = [new SystemMessage(SYSTEM)]
  for (const question of questionsOf(run)) {
    messages.push(new HumanMessage(question))
    for (;;) {
      const message = await joinChunks(chain, [...messages], { callbacks }, run)
      messages.push(message)
      if (!message.tool_calls?.length) {
        answers.push(message.content)
        break
      }
      for (const { id, name, args } of message.tool_calls)
        messages.push(new ToolMessage({ tool_call_id: id, content: runTool(name, args) }))
    }
  }
  return answers
}

async function joinChunks(chain: any, messages: any[], config: object, run: Run): Promise<any> {
  if (run.variant !== 'stream') return chain.invoke(messages, config)
  let message: any
  for await (const chunk of await chain.stream(messages, config))
    message = message?.concat(chunk) ?? chunk
  return message
}
