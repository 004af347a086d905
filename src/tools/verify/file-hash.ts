import { isRecorded } from '../../cassette/cassette.ts'
import { hashFile, readFileHash } from '../../cassette/parse.ts'
import { RESTORE, type CassetteCheck, type Remark } from './check.ts'

/** This hash covers all that no other hash covers, such as dates, which decide how long a recording is valid. */
export const fileHash: CassetteCheck = {
  name: 'file-hash',
  find({ stored, cassette }) {
    const isRecording = stored.exchanges.some(({ wire }) => wire?.response)
    if (stored.file_hash === undefined) return isRecording ? [WITHOUT_HASH] : []
    const [said, real] = [readFileHash(stored.file_hash), readFileHash(hashFile(stored))]
    const remarks: Remark[] = []
    if (said.head !== real.head)
      remarks.push(edited('Its version, title, dates, mark or parameters were edited', RESTORE))
    if (said.exchanges === real.exchanges) return remarks
    if (cassette.exchanges.every(isRecorded))
      return [...remarks, edited('Its exchanges were edited, moved or deleted', RESTORE)]
    // A person may put an answer of their own in the place of a recorded one.
    const note = 'A person wrote some of them: review the others.'
    const written = edited('Its recorded exchanges are not all that were recorded', note)
    return [...remarks, { ...written, severity: 'warning' }]
  },
}

const WITHOUT_HASH: Remark = {
  problem: `The file has no hash, so an edit of it would go unnoticed. ${RESTORE}`,
}

function edited(what: string, wayOut: string): Remark {
  return { place: '/file_hash', problem: `${what} after the recording. ${wayOut}` }
}
