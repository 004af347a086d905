#!/usr/bin/env node
// The MCP server on standard input and output. Its chats are kept in the folder CHATS.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { AnswerAgent } from './answer-agent.ts'
import { createMcpServer } from './mcp-server.ts'

const HOUR = 60 * 60_000

const agent = new AnswerAgent({ folder: process.env.CHATS })
setInterval(() => void agent.chats.clearInactive().catch(console.error), HOUR).unref()
await createMcpServer(agent).connect(new StdioServerTransport())
