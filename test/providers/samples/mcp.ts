import { jsonLines } from '../wire.ts'
import type { Sample } from './sample.ts'

/** A tool that tells the weather, and how far it has come. */
export const mcpSample: Sample = {
  dialect: 'mcp',
  url: 'mcp://weather',
  body: {
    method: 'tools/call',
    params: { name: 'get_forecast', arguments: { city: 'Bern', days: [1, 2] }, task: { ttl: 60 } },
  },
  plain: {
    result: {
      content: [
        { type: 'text', text: 'Rain in the morning, and sun in the afternoon.' },
        { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      ],
    },
  },
  events: jsonLines(
    { method: 'notifications/progress', params: { progress: 1, total: 2 } },
    {
      result: {
        content: [
          { type: 'text', text: 'Rain in the morning, and sun in the afternoon.' },
          { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        ],
      },
    },
  ),
  lines: true,
  completion: {
    text: 'Rain in the morning, and sun in the afternoon.\n[image/png, 3 bytes]',
    toolCalls: [],
    finishReasons: [],
  },
}
