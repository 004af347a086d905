import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { AnswerAgent } from './answer-agent.ts'

const NO_QUESTION = 'question must be a string'

const Question = z.strictObject({
  question: z.string(NO_QUESTION).trim().min(1, NO_QUESTION).max(2_000),
  // Models fill optional fields with empty texts and null.
  chatId: z
    .string()
    .nullish()
    .describe('The chat to go on with, or an id for a new one; without it, a new one gets an id.'),
})

const Answer = z.object({ chatId: z.string(), answer: z.string() })

const ASK_QUESTION = {
  name: 'askQuestion',
  description: 'Answers a question about the solar system.',
  inputSchema: z.toJSONSchema(Question),
  outputSchema: z.toJSONSchema(Answer),
}

/**
 * An MCP server with one tool, `askQuestion`. Bad input is a JSON-RPC error (-32602), and so is a provider that
 * does not answer (-32603).
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
    const answer = await agent.ask(input.data.question, input.data.chatId || undefined)
    return { content: [{ type: 'text', text: answer.answer }], structuredContent: { ...answer } }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new McpError(ErrorCode.InternalError, `Failed to get answer: ${message}`)
  }
}

function badInput(message: string): McpError {
  return new McpError(ErrorCode.InvalidParams, message)
}
