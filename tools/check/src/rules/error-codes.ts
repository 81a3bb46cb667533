import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding, Rule } from "../repository.ts";

const codePattern = /\bcode: "([a-z][a-z0-9]*(?:[._][a-z0-9_]+)+)"/g;

/** Every error code is in docs/errors.md, and every code there exists. */
export const errorCodesRule: Rule = ({ root, packages }) => {
  const where = "docs/errors.md";
  const text = existsSync(join(root, where)) ? readFileSync(join(root, where), "utf8") : "";
  const documented = new Set([...text.matchAll(/^\| `([a-z0-9_.]+)` \|/gm)].map(([, code]) => code ?? ""));
  const used = new Map<string, string>();
  for (const file of packages.filter(({ folder }) => !folder.startsWith("tools/")).flatMap(({ files }) => files)) {
    if (file.test) continue;
    for (const [, code] of file.text.matchAll(codePattern)) if (code?.includes(".")) used.set(code, file.path);
  }
  const missing = [...used].filter(([code]) => !documented.has(code));
  return missing.map(([code, path]): Finding => ({
    rule: "error-codes",
    where: path,
    message: `${code} is not in ${where}`,
  }));
};
