import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const FRAME =
  /src\/(?:base\/(?:bytes|dates|list-query|pagination|sort)|urls|rights|navigation|ui\/\w+\/(?:shell|sidebar|sidebar-flag|breadcrumbs|demo-banner|frame|user-menu|use-own-user|theme-choice|toasts?|tooltip|popovers|focus|button|icon-button|icon-sprite|link-button|avatar|plain-click|request|use-wide-screen|use-hydrated|use-countdown|modals?|signed-out-modal|updated-modal|page-boundary|report-fault|missing-part|faults|short-date|list-fault|nothing-found|chips|error-state|use-list|pager|search-box))\.tsx?$/

const outDir = process.env.OUT_DIR ?? 'dist'

export default defineConfig(({ command }) => ({
  appType: 'custom',
  plugins: [react(), tailwindcss()],
  // The build has no inline script, so it needs no nonce.
  ...(command === 'serve' && { html: { cspNonce: '%NONCE%' } }),
  environments: {
    client: {
      build: {
        outDir: `${outDir}/client`,
        manifest: 'manifest.json',
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        // What every page has around it, in one piece: a dozen small ones are larger when packed, and slower to ask for.
        rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'frame', test: FRAME }] } } },
      },
    },
    ssr: {
      build: { outDir: `${outDir}/pages`, rolldownOptions: { input: 'src/page-entry.tsx' } },
      // One bundle with React inside: a quicker start, and no look-ups in node_modules.
      ...(command === 'build' && {
        resolve: { noExternal: true as const },
        define: { 'process.env.NODE_ENV': '"production"' },
      }),
    },
    // The server itself, with its packages: two files instead of eight hundred make the start twice as fast.
    server: {
      consumer: 'server',
      build: { outDir: `${outDir}/server`, rolldownOptions: { input: 'src/serve.ts' }, minify: false },
      resolve: { noExternal: true as const, external: ['vite', '@node-rs/argon2', 'pg-native', 'sharp'] },
    },
  },
  builder: {
    buildApp: async (builder) => {
      for (const name of ['client', 'ssr', 'server']) await builder.build(builder.environments[name]!)
    },
  },
}))
