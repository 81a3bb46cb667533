import * as http from "node:http";
import { fileURLToPath } from "node:url";
import { readFileSync } from "node:fs";
import type { Plugin, RolldownOptions } from "rolldown";
import { readTemplateFiles } from "./src/new/template-files.ts";
import { templateRoles } from "./src/new/templates.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Libraries that are whole for other libraries, and parts of them, in `bundle`, for what is ours. */
const divided = ["prom-client", "undici"];

/** What libraries load only where it is there. */
const optional = ["kerberos"];

/** What `node:http` exports, but for what loads more of Node. */
const httpExports = Object.keys(http).filter(
  (name) => !["CloseEvent", "MessageEvent", "WebSocket", "default"].includes(name),
);

/** How a module is asked for. */
type ImportKind = Parameters<Extract<Plugin["resolveId"], (...args: never) => unknown>>[2]["kind"];

const httpModule = "\0node:http";

/**
 * Parts of Node that are loaded without being used. An `import` of `node:http` reads all that it exports, and with that loads Node's own
 * fetch, WebSockets and HTTP/2, 10 MiB in all; `require` does not. And undici loads `node:http2` for servers that speak it alone.
 */
const unused: Plugin = {
  name: "parts-of-node",
  resolveId: (name, importer = "", { kind }: { readonly kind: ImportKind }) => {
    if ((name === "node:http" || name === "http") && kind !== "require-call") return httpModule;
    return name === "./client-h2.js" && importer.endsWith("/undici/lib/dispatcher/client.js")
      ? here("bundle/undici-http2.cjs")
      : undefined;
  },
  load: (id) =>
    id === httpModule
      ? `import { createRequire } from "node:module";
        const http = createRequire(import.meta.url)("node:http");
        export default http;
        export const { ${httpExports.join(", ")} } = http;`
      : undefined,
};

const parts: Plugin = {
  name: "parts-of-libraries",
  resolveId: (name, importer = "") =>
    optional.includes(name) || (divided.includes(name) && !importer.includes("/node_modules/"))
      ? here(`bundle/${name}.js`)
      : undefined,
};

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifestAt = (path: string): Manifest => JSON.parse(readFileSync(here(path), "utf8")) as Manifest;

/** What the command loads by name: every provider, object store and simulator of ours that it depends on. */
const loadedByName = (): readonly string[] =>
  Object.keys(manifestAt("package.json").dependencies).filter((name) =>
    /^@capstan\/(?:core$|tinkerbell$|(?:infra|bootstrap|controlplane|ipam|object-store|sim)-)/.test(name),
  );

/** What becomes of modules that stand for what is beside the command: by their paths. */
const generated: Readonly<Record<string, () => string>> = {
  "src/modules/bundled-modules.ts": () =>
    `export const bundledModules = {${loadedByName()
      .map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(name)}),`)
      .join("")}};`,
  "src/new/bundled-templates.ts": () => {
    const names = ["outside", ...templateRoles.map((role) => `${role}-acme`)];
    const templates = names.map((name) => [name, readTemplateFiles(here(`templates/${name}`))]);
    return `export const bundledTemplates = ${JSON.stringify(Object.fromEntries(templates))};`;
  },
};

const written: Plugin = {
  name: "written-for-the-bundle",
  load: (id) => Object.entries(generated).find(([path]) => id === here(path))?.[1](),
};

/** The `capstan` command for Node alone, from sources, in parts of which each command loads its own. */
export default {
  input: { capstan: here("src/main.ts") },
  platform: "node",
  plugins: [unused, parts, written],
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
