import dns from 'node:dns'

// The hosts of the providers are those of the machine that the tests record from.
const { lookup } = dns
dns.lookup = ((name: string, options: never, done: never) =>
  lookup(name === 'localhost' ? name : '127.0.0.1', options, done)) as typeof dns.lookup
