import type { FolderCheck } from './check.ts'

/** A link in a cassette folder could lead reads and writes anywhere; git stores links as they are. */
export const links: FolderCheck = {
  name: 'links',
  find({ entries }) {
    return entries
      .filter(({ kind }) => kind === 'link' || kind === 'other')
      .map(({ path, kind }) => ({
        path,
        problem:
          kind === 'link'
            ? 'It is a symbolic link, which could lead anywhere. Replace it by the file or folder itself.'
            : 'It is neither a file nor a folder. Delete it.',
      }))
  },
}
