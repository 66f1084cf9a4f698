// Tests of the page's modules and components, without a browser: `./dev test` runs them beside those of Python.
import { defineConfig } from "vitest/config";
import { languagesForVite } from "./languages.mjs";

/** Where the page lies, which it reads off its own address. */
const lying = {
  name: "lying",
  transform: (code, id) =>
    id.endsWith("/src/app/base.ts")
      ? code.replace("import.meta.url", '"https://dice.example/assets/page.js"')
      : undefined,
};

export default defineConfig({
  plugins: [languagesForVite, lying],
  define: { PYTHON_BOX: '""', DOCS_STYLE: '""' },
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  test: {
    environment: "happy-dom",
    environmentOptions: { happyDOM: { url: "https://dice.example/" } },
    include: ["tests/**/*.test.{ts,tsx}"],
    setupFiles: ["tests/setup.ts"],
    css: false,
    pool: "threads",
    maxWorkers: 2,
    restoreMocks: true,
    // Nothing here depends on how fast the machine is.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
