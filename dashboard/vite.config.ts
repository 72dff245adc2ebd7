import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** Where the product answers while `npm run dev` serves the page: the one of this machine, at PORT or 4000. */
const product = `http://localhost:${process.env.PORT ?? 4000}`

/** Builds the dashboard into `dist/`, and serves it with hot reload beside a running product. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../node_modules/.cache/vite', import.meta.url)),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    // A strict content security policy has no room for `data:` fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: {
      '/graphql': { target: product, ws: true },
      '/clips': product,
      '/exports': product,
    },
  },
})
