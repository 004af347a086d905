import { expect, test } from 'vitest'
import { scenario, whole } from './lab.ts'

scenario('mcp-others', (made) => {
  test.for(['record', 'replay'] as const)(
    'what is no server, or named by nothing, is real, and the run says which: %s',
    (run) => {
      expect(made(run).titles('failed')).toEqual([])
      expect(made(run).titles('passed')).toHaveLength(4)
      expect(made(run).after).toEqual({})
      expect(whole(run).output).toMatch(
        /^ *MCP {2}.*'almanac', 'abacus'.*\n(?: {15}.*\n)*? {15}node mcp-others\/servers\/notes\.mjs$/m,
      )
    },
  )
})
