import type { Server } from 'node:http'

export const gateway: Server
