import { fileURLToPath } from "node:url";
import type { RolldownOptions } from "rolldown";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The `capstan` command for Node alone, from sources, in parts of which each command loads its own. */
export default {
  input: { capstan: here("src/main.ts") },
  platform: "node",
  resolve: { conditionNames: ["@capstan/source", "node", "import", "default"] },
  output: {
    dir: here("dist/bundle"),
    cleanDir: true,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "parts/[name]-[hash].mjs",
    // Names stay readable in stack traces.
    minify: { mangle: false, compress: false, codegen: true },
  },
} satisfies RolldownOptions;
