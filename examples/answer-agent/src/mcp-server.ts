import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js'
import { APIError } from 'openai'
import { z } from 'zod'
import type { AnswerAgent } from './answer-agent.ts'
import { UnknownChat } from './chat-store.ts'

const Question = z.strictObject({
  question: z.string().trim().min(1).max(2_000),
  chatId: z.string().optional().describe('The chat to go on with; without it, a new one begins.'),
})

const Answer = z.object({ chatId: z.string(), answer: z.string() })

const ASK_QUESTION = {
  name: 'askQuestion',
  description: 'Answers a question about the solar system.',
  inputSchema: z.toJSONSchema(Question),
  outputSchema: z.toJSONSchema(Answer),
}

/**
 * An MCP server with one tool, `askQuestion`. Bad input is a JSON-RPC error (-32602); a provider that
 * does not answer is a result with `isError`, so that the asking model can read it and go on.
 */
export function createMcpServer(agent: AnswerAgent): Server {
  // The low-level server: `McpServer` makes results of all errors.
  const server = new Server(
    { name: 'answer-agent', version: '1.0.0' },
    { capabilities: { tools: {} } },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [ASK_QUESTION] }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    if (params.name !== ASK_QUESTION.name) throw badInput(`There is no tool ${params.name}.`)
    return askQuestion(agent, params.arguments)
  })
  return server
}

async function askQuestion(agent: AnswerAgent, args: unknown): Promise<CallToolResult> {
  const input = Question.safeParse(args)
  if (!input.success) throw badInput(z.prettifyError(input.error))
  try {
    const answer = await agent.ask(input.data.question, input.data.chatId)
    return { content: [{ type: 'text', text: answer.answer }], structuredContent: { ...answer } }
  } catch (error) {
    if (error instanceof UnknownChat) throw badInput(error.message)
    if (!(error instanceof APIError)) throw error
    return { content: [{ type: 'text', text: `No answer: ${error.message}` }], isError: true }
  }
}

function badInput(message: string): McpError {
  return new McpError(ErrorCode.InvalidParams, message)
}
