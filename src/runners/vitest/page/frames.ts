import type { PageWindow } from './redirect-calls.ts'

/** Marks a window or a document. The same `contentWindow` has others behind it when its frame navigates. */
const VISITED = Symbol.for('vitest-cassette.visited')

/**
 * Visits the frames of a page that have its origin, before their scripts run. Cannot reach frames of other origins, nor
 * the first scripts of a frame in a frame, and of one that navigates on.
 *
 * @param visit is called once for each window
 */
export function visitFrames(page: PageWindow, visit: (frame: PageWindow) => void): void {
  const enter = (window: Window | null): void => {
    const frame = window && reachable(window)
    if (!frame) return
    if (isNew(frame)) {
      visit(frame)
      watchAccess(frame, enter)
    }
    // The first document of a frame is empty, and its window stays when the real one comes.
    if (isNew(frame.document)) watchDocument(frame, enter)
  }
  watchAccess(page, enter)
  watchDocument(page, enter)
}

type Enter = (window: Window | null) => void

/** A script can use a frame right after it has added it. */
function watchAccess({ HTMLIFrameElement: { prototype } }: PageWindow, enter: Enter): void {
  const { get } = Object.getOwnPropertyDescriptor(prototype, 'contentWindow')!
  Object.defineProperty(prototype, 'contentWindow', {
    configurable: true,
    get() {
      const window = get!.call(this) as Window | null
      enter(window)
      return window
    },
  })
}

function watchDocument({ document, MutationObserver }: PageWindow, enter: Enter): void {
  const enterLoaded = ({ target }: Event): void =>
    enter((target as HTMLIFrameElement).contentWindow)
  const frames = document.getElementsByTagName('iframe')
  const enterAll = (): void => {
    for (const frame of frames) {
      enter(frame.contentWindow)
      frame.addEventListener('load', enterLoaded)
    }
  }
  new MutationObserver(enterAll).observe(document, { childList: true, subtree: true })
  enterAll()
}

function isNew(object: Window | Document): boolean {
  if (VISITED in object) return false
  Object.defineProperty(object, VISITED, { value: true })
  return true
}

function reachable(window: Window): PageWindow | undefined {
  try {
    return window.document ? (window as PageWindow) : undefined
  } catch {
    return undefined
  }
}
