import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { diskTree } from "./file-tree.ts";
import { lowered } from "./ratchet.ts";
import { readRepository, type Rule } from "./repository.ts";
import { circlesRule } from "./rules/circles.ts";
import { dependenciesRule } from "./rules/dependencies.ts";
import { docstringsRule } from "./rules/docstrings.ts";
import { documentsRule } from "./rules/documents.ts";
import { errorCodesRule } from "./rules/error-codes.ts";
import { exportsRule } from "./rules/exports.ts";
import { contractNamesRule, forbiddenGlobalsRule } from "./rules/forbidden.ts";
import { functionSizeRule } from "./rules/function-size.ts";
import { layerRule } from "./rules/layers.ts";
import { longLineCounts, longLinesRule } from "./rules/long-lines.ts";
import { publicNamesRule, reports, untakenCounts, untakenRule } from "./rules/public-names.ts";
import { providerLayoutRule } from "./rules/provider-layout.ts";
import { reasonsRule } from "./rules/reasons.ts";
import { sizeRule } from "./rules/size.ts";
import { unusedExportsRule } from "./rules/unused-exports.ts";
import { wordCounts, wordsRule } from "./rules/words.ts";

const rules: readonly Rule[] = [
  layerRule,
  circlesRule,
  dependenciesRule,
  providerLayoutRule,
  exportsRule,
  forbiddenGlobalsRule,
  contractNamesRule,
  sizeRule,
  functionSizeRule,
  errorCodesRule,
  documentsRule,
  unusedExportsRule,
  reasonsRule,
  wordsRule,
  longLinesRule,
  docstringsRule,
  publicNamesRule,
  untakenRule,
];

const root = resolve(import.meta.dirname, "../../..");
const tree = diskTree(root);
const repository = readRepository(tree);
if (process.argv.includes("--lower")) {
  const counts = { ...wordCounts(tree), ...longLineCounts(tree), ...untakenCounts(repository) };
  writeFileSync(resolve(root, "tools/check/ratchet.json"), lowered(tree, counts));
}
if (process.argv.includes("--exports")) {
  for (const { path, text } of reports(repository)) writeFileSync(resolve(root, path), text);
}
const findings = rules.flatMap((rule) => rule(repository));
for (const { rule, where, message } of findings) console.error(`${rule}: ${where}: ${message}`);
console.log(`${repository.packages.length} packages, ${rules.length} rules, ${findings.length} findings`);
process.exitCode = findings.length === 0 ? 0 : 1;
