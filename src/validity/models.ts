import type { Strategy } from './strategy.ts'

/** The answers of a retired model say little about the application of today. */
export const models: Strategy = {
  name: 'models',
  judge({ models: asked }, { retiredModels }) {
    if (retiredModels.length === 0) return undefined
    const patterns = retiredModels.map(patternOf)
    const retired = asked.filter((model) => patterns.some((pattern) => pattern.test(model)))
    if (retired.length === 0) return { valid: true, reason: 'no model of it is retired' }
    return {
      valid: false,
      lasts: true,
      reason: `${retired.join(', ')} ${retired.length === 1 ? 'is' : 'are'} retired`,
    }
  },
}

/** A name in which `*` stands for any text. */
function patternOf(name: string): RegExp {
  const pieces = name.split(/\*+/).map((piece) => piece.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${pieces.join('.*')}$`, 's')
}
