import { configureCassettes } from 'vitest-cassette'
import 'vitest-cassette/setup'

const { HOST, ALLOWED } = process.env
configureCassettes({ hosts: [HOST!], ...(ALLOWED ? { allowHosts: [ALLOWED] } : {}) })
