import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

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
      },
    },
    ssr: {
      build: { outDir: `${outDir}/server`, rolldownOptions: { input: 'src/page-entry.tsx' } },
      // One bundle with React inside: a quicker start, and no look-ups in node_modules.
      ...(command === 'build' && {
        resolve: { noExternal: true as const },
        define: { 'process.env.NODE_ENV': '"production"' },
      }),
    },
  },
  builder: {
    buildApp: async (builder) => {
      await builder.build(builder.environments.client!)
      await builder.build(builder.environments.ssr!)
    },
  },
}))
