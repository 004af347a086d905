import { CassetteError } from '../../errors.ts'

/** The words of the format for the reasons to refuse a file. */
export type Refusal = 'json' | 'version' | 'unsupported' | 'invalid' | 'file'

/** The error for a file that is refused; its cause is the word for the reason. */
export function refuseFile(problem: string, reason: Refusal): CassetteError {
  return new CassetteError('invalid-cassette', problem, { cause: reason })
}
