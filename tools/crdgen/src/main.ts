import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { checkKind } from "@capstan/schema/manifest";
import { exampleFiles } from "./examples.ts";
import { factFindings } from "./fact-check.ts";
import { generatedFiles } from "./generate.ts";
import { apiPackages } from "./packages.ts";
import { staleFiles } from "./stale.ts";

const usage = `npm run crds               writes crds/*.yaml and templates/*.yaml of every package, and what examples share with them
npm run crds -- --check    fails when a file is not as it would be written
npm run crds -- --facts    fails when a kind differs from upstream's beyond the listed extensions`;

const root = resolve(import.meta.dirname, "../../..");
const modes: readonly string[] = process.argv.slice(2);

const write = (): void => {
  const files = [...apiPackages.flatMap(generatedFiles), ...exampleFiles(root, apiPackages)];
  for (const { path, text } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  console.log(`${files.length} files written`);
};

const run = (): readonly string[] => {
  const faults = apiPackages.flatMap(({ kinds }) => kinds.flatMap(checkKind));
  if (faults.length > 0) return faults;
  if (modes.length === 0) write();
  return [
    ...(modes.includes("--check") ? staleFiles(root, apiPackages) : []),
    ...(modes.includes("--facts") ? factFindings(apiPackages) : []),
  ];
};

if (modes.some((mode) => mode !== "--check" && mode !== "--facts")) {
  console.error(usage);
  process.exitCode = 2;
} else {
  const findings = run();
  for (const finding of findings) console.error(finding);
  if (modes.length > 0) console.log(`${findings.length} findings`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}
