import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { question, recorded } from '../engine/example-session.ts'
import { GitProject } from './git-project.ts'

/** The path of a cassette below its folder. */
export const PATH = 'a.test.ts/asks-0123456789.json'

/** A cassette of one question with this answer. */
export function answered(answer: string, path: string = PATH): [string, Cassette] {
  return [path, recorded([question('Hi'), answer])]
}

/** A project in which one cassette has another answer than the last commit. */
export async function withOtherAnswer(): Promise<GitProject> {
  const project = new GitProject()
  writeFileSync(join(project.root, '.gitignore'), 'node_modules\n*.stty\n')
  await project.commit(answered('one'))
  await project.saveAll([answered('two')])
  return project
}
