import { configureCassettes } from 'vitest-cassette'
import 'vitest-cassette/setup'

configureCassettes({ allowHosts: ['api.groq.com'] })
