import type { Page } from 'playwright-core'

/** What the agent sees and touches, in pixels. */
export const SIZE = { width: 640, height: 400 }

/** What a model can ask for; a part of the computer-use tool of Anthropic. */
export type Action =
  | { action: 'left_click'; coordinate: [x: number, y: number] }
  | { action: 'type'; text: string }
  | { action: 'screenshot' }

/** A page as somebody in front of it sees it. */
export class Screen {
  readonly #page: Page

  /** @param page one of {@link SIZE} */
  constructor(page: Page) {
    this.#page = page
  }

  /** A PNG as base64, without what moves by itself: no caret, no animation. */
  async look(): Promise<string> {
    const png = await this.#page.screenshot({ caret: 'hide', animations: 'disabled' })
    return png.toString('base64')
  }

  /** What the page says and offers, line by line. No model is told; it shows afterwards where one got to. */
  async read(): Promise<string[]> {
    return (await this.#page.locator('body').ariaSnapshot()).split('\n')
  }

  /** @throws Error for an action that does not exist */
  async act(action: Action): Promise<void> {
    switch (action.action) {
      case 'left_click':
        return this.#page.mouse.click(...action.coordinate)
      case 'type':
        return this.#page.keyboard.type(action.text)
      case 'screenshot':
        return
      default:
        throw new Error(`There is no action ${JSON.stringify(action)}.`)
    }
  }
}
