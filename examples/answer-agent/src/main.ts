#!/usr/bin/env node
// The MCP server on standard input and output.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { AnswerAgent } from './answer-agent.ts'
import { createMcpServer } from './mcp-server.ts'

const MINUTE = 60_000

const agent = new AnswerAgent()
setInterval(() => agent.chats.clearInactive(30 * MINUTE), MINUTE).unref()
await createMcpServer(agent).connect(new StdioServerTransport())
