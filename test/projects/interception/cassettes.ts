import 'vitest-cassette/setup'
