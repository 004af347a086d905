// The clients come first, and with them the connections that they keep alive.
import './clients.ts'
import 'vitest-cassette/setup'
