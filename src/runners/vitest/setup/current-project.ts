import { slashed } from '../../../config/paths.ts'
import { isAbsolute, join } from '../../../real/path.ts'
import { shared } from '../../../real/shared.ts'
import type { OtherCommand } from '../reporters/other-command.ts'

/** The project of this worker, seen from the folder in which the user started the run. */
interface Place {
  /** The command that runs it, if it is not `vitest run`. */
  other?: OtherCommand
  /** Its name, where a run has several. */
  project?: string
  /** Its root, relative to that folder and with forward slashes; absent if both are the same. */
  folder?: string
  /** The options by which a command finds the same config, as words; absent where Vitest finds it by itself. */
  run?: readonly string[]
}

const here = shared<{ place: Place }>('place-of-project', () => ({ place: {} }))

/** Sets the project of the file that begins. */
export function setProject(place: Place): void {
  here.place = place
}

/** The command that runs this project, if it is not `vitest run`. */
export function otherHere(): OtherCommand | undefined {
  return here.place.other
}

/** The options with which a command runs this project, since another may have a file of the same name. */
export function optionsHere(): readonly string[] {
  const { run = [], project } = here.place
  return [...run, ...(project === undefined ? [] : ['--project', project])]
}

/** A path of the project as the user would type it. */
export function fromUser(path: string): string {
  const { folder } = here.place
  return folder === undefined || isAbsolute(path) ? path : slashed(join(folder, path))
}
