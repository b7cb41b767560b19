import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import subsetFont from 'subset-font'
import { defineConfig, type Plugin } from 'vite'
import { FILE_LISTS, FRAME, LATE_FRAME } from './scripts/chunks.ts'

/** Whether a module is one of some files of `src`. */
const isOneOf = (files: string[], more?: RegExp) => (id: string) =>
  files.some((file) => id.endsWith(`/src/${file}`)) || Boolean(more?.test(id))

const ICONS_OF_LISTS = /lucide-react\/dist\/esm\/icons\/(?:pencil|trash|file-archive)\.mjs$/

/** What `react-dom` is without its two large parts, and what the bundler adds: a request costs more than they do. */
const SMALL_REACT = /react-dom\/(?:index|cjs\/react-dom\.production)\.js$|rolldown\/runtime/

const outDir = process.env.OUT_DIR ?? 'dist'

/** Makes lucide's icons by `slim-icon.ts`, and leaves out the keys and names that it does not need. */
const slimIcons: Plugin = {
  name: 'slim-icons',
  apply: 'build',
  transform(code, id) {
    if (id.endsWith('lucide-react/dist/esm/createLucideIcon.mjs'))
      return { code: `export { makeSlimIcon as default } from '/src/ui/icon/slim-icon.ts'`, map: null }
    if (!/lucide-react\/dist\/esm\/icons\//.test(id)) return null
    const lean = code.replace(/, key: "[^"]*"/g, '').replace(/^ {2}(?:name|size|aliases): .*\n/gm, '')
    return { code: lean, map: null }
  },
}

/** All that Vite's own wrapper of `import()` is needed for: its event when a part cannot be fetched. */
const slimPreload: Plugin = {
  name: 'slim-preload',
  apply: 'build',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js'
      ? `export const __vitePreload = (load) => load().catch((error) => {
          const event = new Event('vite:preloadError', { cancelable: true })
          event.payload = error
          dispatchEvent(event)
          if (!event.defaultPrevented) throw error
        })`
      : null,
}

/** Leaves the font what our pages write with: three weights, and the features that the style names or that marks need. */
const slimFont: Plugin = {
  name: 'slim-font',
  apply: 'build',
  async generateBundle(_, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'asset' && file.fileName.includes('inter-latin-wght-normal'))
        file.source = await subsetFont(file.source as Uint8Array, LATIN, {
          targetFormat: 'woff2',
          variationAxes: { wght: { min: 400, max: 600 } },
          keepFeatures: ['ccmp', 'kern', 'mark', 'mkmk', 'tnum'],
        })
  },
}

/** All characters that the font is asked for: more are in it than its style names. */
const LATIN = String.fromCodePoint(
  ...[
    [0x20, 0xff],
    [0x131],
    [0x152, 0x153],
    [0x2bb, 0x2bc],
    [0x2c6],
    [0x2da],
    [0x2dc],
    [0x304],
    [0x308],
    [0x329],
  ]
    .concat([
      [0x2000, 0x206f],
      [0x20ac],
      [0x2122],
      [0x2191],
      [0x2193],
      [0x2212],
      [0x2215],
      [0xfeff],
      [0xfffd],
    ])
    .flatMap(([first, last = first]) => Array.from({ length: last! - first! + 1 }, (_, nth) => first! + nth)),
)

export default defineConfig(({ command }) => ({
  appType: 'custom',
  plugins: [react(), tailwindcss(), slimIcons, slimPreload, slimFont],
  // The build has no inline script, so it needs no nonce.
  ...(command === 'serve' && { html: { cspNonce: '%NONCE%' } }),
  environments: {
    client: {
      build: {
        outDir: `${outDir}/client`,
        manifest: 'manifest.json',
        assetsInlineLimit: 0,
        // The page's head names all of its parts, and the lists of the others' are long.
        modulePreload: {
          polyfill: false,
          resolveDependencies: (_, parts, { hostType }) => (hostType === 'js' ? [] : parts),
        },
        rolldownOptions: {
          // A file that the browser takes nothing from, because only the server draws it, stays away.
          treeshake: {
            moduleSideEffects: (id) => !/\/src\/(?!client\.tsx).*\.tsx?$/.test(id),
          },
          output: {
            codeSplitting: {
              groups: [
                { name: 'frame', test: isOneOf(FRAME, SMALL_REACT), priority: 2 },
                { name: 'late-frame', test: isOneOf(LATE_FRAME), priority: 1 },
                { name: 'file-lists', test: isOneOf(FILE_LISTS, ICONS_OF_LISTS), priority: 1 },
                // Small pieces that many pages share: each would be a request of its own.
                { name: 'common', test: /\/src\/|lucide-react/, minShareCount: 6, maxModuleSize: 2500 },
              ],
            },
          },
        },
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
      resolve: { noExternal: true as const, external: ['vite', '@node-rs/argon2', 'pg-native'] },
    },
  },
  builder: {
    buildApp: async (builder) => {
      for (const name of ['client', 'ssr', 'server']) await builder.build(builder.environments[name]!)
    },
  },
}))
