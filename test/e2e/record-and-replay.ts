import { startUpstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

/** A project that was recorded, and replayed when its provider was gone. */
export interface Replayed {
  project: VitestProject
  recording: Run
  replay: Run
}

/** Records a project and replays it. What its application got is in its folders `recorded` and `replayed`. */
export async function recordAndReplay(name: string): Promise<Replayed> {
  const upstream = await startUpstream()
  try {
    const { oddUrl, frontUrl } = upstream
    const project = new VitestProject(name, { ODD_URL: oddUrl, UPSTREAM: frontUrl })
    const recording = await project.record([], { RESULTS: 'recorded' })
    await upstream.stop()
    const replay = await project.run([], { RESULTS: 'replayed' })
    return { project, recording, replay }
  } finally {
    await upstream.stop()
  }
}
