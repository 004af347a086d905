import { isRecorded } from '../../cassette/cassette.ts'
import { hashFile, readFileHash } from '../../cassette/parse.ts'
import type { StoredCassette } from '../../cassette/format.ts'
import { OLDER_VERSION } from '../../cassette/patterns.ts'
import { READ_BY_DIALECTS } from '../../wire/headers.ts'
import { RESTORE, type CassetteCheck, type Remark } from './check.ts'

/** This hash covers all that no other hash covers, such as dates, which decide how long a recording is valid. */
export const fileHash: CassetteCheck = {
  name: 'file-hash',
  find({ stored, cassette }) {
    const isRecording = stored.exchanges.some(({ wire }) => wire?.response)
    if (stored.version === OLDER_VERSION) {
      const newer = findNewer(stored)
      return newer.length > 0 || !isRecording ? newer : [OLDER]
    }
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

/** Whatever its version says: who edits a file can edit that too. */
const OLDER: Remark = {
  place: '/version',
  problem: `A file of version ${OLDER_VERSION} has no hash, so an edit of it would go unnoticed. Record the test again with RECORD=1.`,
}

const WITHOUT_HASH: Remark = {
  problem: `The file has no hash, so an edit of it would go unnoticed. ${RESTORE}`,
}

function edited(what: string, wayOut: string): Remark {
  return { place: '/file_hash', problem: `${what} after the recording. ${wayOut}` }
}

/** Finds a newer file that claims the version of an older release, which had no hash. */
function findNewer({ version, file_hash: hash, exchanges }: StoredCassette): Remark[] {
  const isNewer = exchanges.some(({ wire: { request } = {} }) => {
    const names = Object.keys(request?.headers ?? {})
    return request?.older || names.some((name) => !READ_BY_DIALECTS.includes(name))
  })
  if (hash === undefined && !isNewer) return []
  const problem = `No release wrote version ${version} with the content of this file: it was edited. ${RESTORE}`
  return [{ place: '/version', problem }]
}
