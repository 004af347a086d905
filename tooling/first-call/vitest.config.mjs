import { cassettes } from 'vitest-cassette/plugin'

export default { plugins: [cassettes({ compileCache: false })] }
