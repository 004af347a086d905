// The client exists before anything is intercepted.
import './bedrock.ts'
import 'vitest-cassette/setup'
