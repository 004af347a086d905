import { type MakesModules, makesModules } from './makes-modules.ts'
import { printModule } from './provider-tables.ts'

/** Puts the list prices in the place of the module that asks the package with the prices of all models for them. */
export const listPrices: MakesModules = makesModules('list-prices', {
  'src/conversation/cost/list-prices.ts': async () =>
    printModule(await import('../src/conversation/cost/list-prices.ts')),
})
