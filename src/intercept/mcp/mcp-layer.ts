// What loads where the option `mcp` names a server that is reached: one file for all.
export { answerMcp } from './answer-mcp.ts'
export { ServerProcess } from './server-process.ts'
