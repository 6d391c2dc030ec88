// The default theme, with what axe misses in it.
import { useRoute } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { nextTick, onMounted, watch } from 'vue'
import './style.css'

/** The page at home and that of no page have no main part. */
function markMain() {
  const content = document.getElementById('VPContent')
  if (content?.querySelector('main')) content.removeAttribute('role')
  else content?.setAttribute('role', 'main')
}

export default {
  extends: DefaultTheme,
  setup() {
    const route = useRoute()
    onMounted(markMain)
    watch(
      () => route.path,
      () => nextTick(markMain),
    )
  },
}
