// The parts that load when a client reaches a server that the option `mcp` names, as one file.
export { answerMcp } from './answer-mcp.ts'
export { ServerProcess } from './server-process.ts'
