import type { Page } from 'playwright-core'

/** The size of the screen in pixels. */
export const SIZE = { width: 640, height: 400 }

/** The actions that a model can request; a part of the computer-use tool of Anthropic. */
export type Action =
  | { action: 'left_click'; coordinate: [x: number, y: number] }
  | { action: 'type'; text: string }
  | { action: 'screenshot' }

/** A page as a person in front of it sees and uses it. */
export class Screen {
  readonly #page: Page

  /** @param page one of {@link SIZE} */
  constructor(page: Page) {
    this.#page = page
  }

  /** A screenshot as a PNG in base64, without caret and animations. */
  async look(): Promise<string> {
    const png = await this.#page.screenshot({ caret: 'hide', animations: 'disabled' })
    return png.toString('base64')
  }

  /** The text and controls of the page, line by line. They are not sent to the model, but compared afterwards. */
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
