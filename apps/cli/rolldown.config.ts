import { fileURLToPath } from "node:url";
import type { Plugin, RolldownOptions } from "rolldown";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Libraries get the undici they ask for; what is ours gets the parts it uses. */
const partsOfUndici: Plugin = {
  name: "parts-of-undici",
  resolveId: (name, importer = "") =>
    name === "undici" && !importer.includes("/node_modules/") ? here("bundle/undici.js") : undefined,
};

/** The `capstan` command for Node alone, from sources, in parts of which each command loads its own. */
export default {
  input: { capstan: here("src/main.ts") },
  platform: "node",
  plugins: [partsOfUndici],
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
