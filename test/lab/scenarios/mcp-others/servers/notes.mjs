import '../../mcp/count-calls.mjs'
