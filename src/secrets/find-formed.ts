import type { Hit } from './hit.ts'
import { FORMS } from './secret-forms.ts'

/** Finds credentials by what stands around them. */
export function findFormed(text: string): Hit[] {
  const lowered = text.toLowerCase()
  return FORMS.filter(({ mark }) => lowered.includes(mark)).flatMap(({ name, pattern, accept }) =>
    Array.from(text.matchAll(pattern)).flatMap((match) => {
      const groups = match.groups ?? {}
      const secret = groups.secret ?? groups.double ?? groups.single ?? match[0]
      if (accept && !accept(secret, groups)) return []
      return { at: match.index + match[0].lastIndexOf(secret), rule: name, secret }
    }),
  )
}
