import { isOlder } from '../config/old-node.ts'

/** The words by which `vitest list` loads test files, since titles can be computed: from 4.1 on, it only parses them. */
export function wordsToLoadTests(version: string): string[] {
  return isOlder(version, [4, 1]) ? [] : ['--no-static-parse']
}
