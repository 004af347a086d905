import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { h } from 'vue'
import First from '../../first.md'
import './style.css'

export default {
  extends: DefaultTheme,
  // The first screen shows what to do, beside what it is for.
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'home-hero-image': () => h('div', { class: 'first vp-doc' }, h(First)),
    }),
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
