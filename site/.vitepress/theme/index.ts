import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ router }) {
    if (import.meta.env.SSR) return
    // The sidebar is longer than a screen: whoever comes from elsewhere sees where the page is in it.
    router.onAfterRouteChange = () => {
      setTimeout(() => {
        if (matchMedia('(min-width: 960px)').matches)
          document.querySelector('.VPSidebar .is-active')?.scrollIntoView({ block: 'nearest' })
      })
    }
  },
} satisfies Theme
