import { inject } from 'vitest'
import { configureCassettes } from 'vitest-cassette'

// A server that a run has started is no provider, unless its port is named.
configureCassettes({ hosts: [new URL(inject('answersUrl')).host] })
