import {
  CALLS,
  EARLIER,
  PICTURE,
  QUESTION,
  RESULTS,
  SYSTEM,
  TOOLS,
  VERDICT,
  type Format,
} from './content.ts'

const VERTEX = 'aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google/models'
const BEDROCK = 'amazonaws.com/model'

/** Formats whose model stands in the address or in a header. */
export const CLOUD_FORMATS: Format[] = [
  {
    name: "Gemini's contents",
    url: `https://us-central1-${VERTEX}/gemini-2.5-pro:generateContent`,
    elsewhere: `https://europe-west4-${VERTEX}/gemini-2.5-pro:generateContent`,
    otherModel: { url: `https://us-central1-${VERTEX}/gemini-2.5-flash:generateContent` },
    body: {
      systemInstruction: { parts: [{ text: SYSTEM }] },
      contents: [
        { role: 'user', parts: [{ text: 'Where is it?' }] },
        { role: 'model', parts: [{ text: EARLIER }] },
        {
          role: 'user',
          parts: [{ text: QUESTION }, { inlineData: { mimeType: 'image/png', data: PICTURE } }],
        },
        {
          role: 'model',
          parts: CALLS.map(([id, args]) => ({ functionCall: { id, name: 'look_up', args } })),
        },
        {
          role: 'user',
          parts: CALLS.map(([id], at) => ({
            functionResponse: { id, name: 'look_up', response: { output: RESULTS[at]! } },
          })),
        },
      ],
      tools: [
        {
          functionDeclarations: TOOLS.map(([name, description, parametersJsonSchema]) => ({
            name,
            description,
            parametersJsonSchema,
          })),
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
      generationConfig: {
        maxOutputTokens: 100,
        temperature: 0.2,
        stopSequences: ['END'],
        responseSchema: VERDICT,
      },
    },
    at: {
      system: 'systemInstruction.parts.0.text',
      question: 'contents.2.parts.0.text',
      earlier: 'contents.1.parts.0.text',
      messages: 'contents',
      swapped: ['contents.0', 'contents.1'],
      picture: 'contents.2.parts.1.inlineData.data',
      tools: 'tools.0.functionDeclarations',
      toolName: 'tools.0.functionDeclarations.0.name',
      toolText: 'tools.0.functionDeclarations.0.description',
      parameters: 'tools.0.functionDeclarations.0.parametersJsonSchema',
      arguments: 'contents.3.parts.0.functionCall.args.order',
      callIds: ['contents.3.parts.0.functionCall.id', 'contents.3.parts.1.functionCall.id'],
      resultIds: [
        'contents.4.parts.0.functionResponse.id',
        'contents.4.parts.1.functionResponse.id',
      ],
      results: [
        'contents.4.parts.0.functionResponse.response.output',
        'contents.4.parts.1.functionResponse.response.output',
      ],
      limit: 'generationConfig.maxOutputTokens',
      temperature: 'generationConfig.temperature',
      stop: 'generationConfig.stopSequences',
      choice: ['toolConfig.functionCallingConfig.mode', 'ANY'],
      schema: 'generationConfig.responseSchema',
    },
    streamed: { url: `https://us-central1-${VERTEX}/gemini-2.5-pro:streamGenerateContent?alt=sse` },
  },
  {
    name: "Amazon Bedrock's Converse",
    url: `https://bedrock-runtime.us-east-1.${BEDROCK}/anthropic.claude-sonnet-4-5/converse`,
    elsewhere: `https://bedrock-runtime.eu-west-1.${BEDROCK}/anthropic.claude-sonnet-4-5/converse`,
    otherModel: {
      url: `https://bedrock-runtime.us-east-1.${BEDROCK}/anthropic.claude-haiku-4-5/converse`,
    },
    body: {
      system: [{ text: SYSTEM }],
      messages: [
        { role: 'user', content: [{ text: 'Where is it?' }] },
        { role: 'assistant', content: [{ text: EARLIER }] },
        {
          role: 'user',
          content: [{ text: QUESTION }, { image: { format: 'png', source: { bytes: PICTURE } } }],
        },
        {
          role: 'assistant',
          content: CALLS.map(([toolUseId, input]) => ({
            toolUse: { toolUseId, name: 'look_up', input },
          })),
        },
        {
          role: 'user',
          content: CALLS.map(([toolUseId], at) => ({
            toolResult: { toolUseId, content: [{ text: RESULTS[at]! }] },
          })),
        },
      ],
      toolConfig: {
        tools: TOOLS.map(([name, description, json]) => ({
          toolSpec: { name, description, inputSchema: { json } },
        })),
        toolChoice: { auto: {} },
      },
      inferenceConfig: { maxTokens: 100, temperature: 0.2, stopSequences: ['END'] },
    },
    at: {
      system: 'system.0.text',
      question: 'messages.2.content.0.text',
      earlier: 'messages.1.content.0.text',
      messages: 'messages',
      swapped: ['messages.0', 'messages.1'],
      picture: 'messages.2.content.1.image.source.bytes',
      tools: 'toolConfig.tools',
      toolName: 'toolConfig.tools.0.toolSpec.name',
      toolText: 'toolConfig.tools.0.toolSpec.description',
      parameters: 'toolConfig.tools.0.toolSpec.inputSchema.json',
      arguments: 'messages.3.content.0.toolUse.input.order',
      callIds: ['messages.3.content.0.toolUse.toolUseId', 'messages.3.content.1.toolUse.toolUseId'],
      resultIds: [
        'messages.4.content.0.toolResult.toolUseId',
        'messages.4.content.1.toolResult.toolUseId',
      ],
      results: [
        'messages.4.content.0.toolResult.content.0.text',
        'messages.4.content.1.toolResult.content.0.text',
      ],
      limit: 'inferenceConfig.maxTokens',
      temperature: 'inferenceConfig.temperature',
      stop: 'inferenceConfig.stopSequences',
      choice: ['toolConfig.toolChoice', { any: {} }],
    },
    streamed: {
      url: `https://bedrock-runtime.us-east-1.${BEDROCK}/anthropic.claude-sonnet-4-5/converse-stream`,
    },
  },
  {
    name: "Vercel's gateway",
    url: 'https://ai-gateway.vercel.sh/v4/ai/language-model',
    headers: { 'ai-language-model-id': 'openai/gpt-5', 'ai-language-model-streaming': 'false' },
    otherModel: {
      headers: {
        'ai-language-model-id': 'openai/gpt-5-mini',
        'ai-language-model-streaming': 'false',
      },
    },
    body: {
      prompt: [
        { role: 'system', content: SYSTEM },
        { role: 'user', content: [{ type: 'text', text: 'Where is it?' }] },
        { role: 'assistant', content: [{ type: 'text', text: EARLIER }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: QUESTION },
            { type: 'file', mediaType: 'image/png', data: `data:image/png;base64,${PICTURE}` },
          ],
        },
        {
          role: 'assistant',
          content: CALLS.map(([toolCallId, input]) => ({
            type: 'tool-call',
            toolCallId,
            toolName: 'look_up',
            input,
          })),
        },
        {
          role: 'tool',
          content: CALLS.map(([toolCallId], at) => ({
            type: 'tool-result',
            toolCallId,
            toolName: 'look_up',
            output: { type: 'text', value: RESULTS[at]! },
          })),
        },
      ],
      tools: TOOLS.map(([name, description, inputSchema]) => ({
        type: 'function',
        name,
        description,
        inputSchema,
      })),
      toolChoice: { type: 'auto' },
      responseFormat: { type: 'json', schema: VERDICT },
      maxOutputTokens: 100,
      temperature: 0.2,
      stopSequences: ['END'],
    },
    at: {
      system: 'prompt.0.content',
      question: 'prompt.3.content.0.text',
      earlier: 'prompt.2.content.0.text',
      messages: 'prompt',
      swapped: ['prompt.1', 'prompt.2'],
      picture: 'prompt.3.content.1.data',
      tools: 'tools',
      toolName: 'tools.0.name',
      toolText: 'tools.0.description',
      parameters: 'tools.0.inputSchema',
      arguments: 'prompt.4.content.0.input.order',
      callIds: ['prompt.4.content.0.toolCallId', 'prompt.4.content.1.toolCallId'],
      resultIds: ['prompt.5.content.0.toolCallId', 'prompt.5.content.1.toolCallId'],
      results: ['prompt.5.content.0.output.value', 'prompt.5.content.1.output.value'],
      limit: 'maxOutputTokens',
      temperature: 'temperature',
      stop: 'stopSequences',
      choice: ['toolChoice', { type: 'required' }],
      schema: 'responseFormat.schema',
    },
    streamed: {
      headers: { 'ai-language-model-id': 'openai/gpt-5', 'ai-language-model-streaming': 'true' },
    },
  },
]
