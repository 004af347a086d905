import 'vitest-cassette/setup'
import { configureCassettes } from 'vitest-cassette'

// Some formats are known by the host of their provider alone.
configureCassettes({ hosts: ['127.0.0.1'], mcp: ['tool-server'] })
