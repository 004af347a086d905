import { join } from 'node:path'
import type { NextConfig } from 'next'

export default {
  // The repository, whose lock file Next would wonder about.
  turbopack: { root: join(import.meta.dirname, '../..') },
} satisfies NextConfig
