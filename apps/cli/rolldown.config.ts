import { fileURLToPath } from "node:url";
import type { Plugin, RolldownOptions } from "rolldown";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Libraries that are whole for other libraries, and parts of them, in `bundle`, for what is ours. */
const divided = ["prom-client", "undici"];

const parts: Plugin = {
  name: "parts-of-libraries",
  resolveId: (name, importer = "") =>
    divided.includes(name) && !importer.includes("/node_modules/") ? here(`bundle/${name}.js`) : undefined,
};

/** The `capstan` command for Node alone, from sources, in parts of which each command loads its own. */
export default {
  input: { capstan: here("src/main.ts") },
  platform: "node",
  plugins: [parts],
  // With `import` among them, what a library requires would be taken from its modules too.
  resolve: { conditionNames: ["@capstan/source", "node"] },
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
