import { parseSync, Visitor, type ObjectExpression } from "oxc-parser";
import type { Finding, Rule, SourceFile } from "../repository.ts";

/** Packages that write conditions and Events. */
const writers = /^(?:core|kit|(?:bootstrap|controlplane|infra)-.+)$/;

/** Where reasons are declared, and the causes of refused objects, which are the API's own. */
const declarations = /(?:api\/[^/]+-conditions|condition-names|reasons|causes)\.ts$/;

/**
 * The reason of a condition or an Event is a declared constant, so that who waits for it and who documents it take the same. Errors have
 * theirs beside their code.
 */
export const reasonsRule: Rule = ({ packages }) =>
  packages
    .filter(({ folder, name }) => folder.startsWith("packages/") && writers.test(name))
    .flatMap(({ files }) => files)
    .filter(({ path, test, code }) => !test && !declarations.test(path) && code.includes('reason: "'))
    .flatMap(literalReasons);

const literalReasons = ({ path, text }: SourceFile): readonly Finding[] => {
  const findings: Finding[] = [];
  const visit = (node: ObjectExpression): void => {
    const reason = valueOf(node, "reason");
    if (reason?.type !== "Literal" || reason.value === "" || valueOf(node, "code") !== undefined) return;
    const line = text.slice(0, reason.start).split("\n").length;
    const message = `the reason ${reason.raw} is written out: declare it among the package's reasons`;
    findings.push({ rule: "reasons", where: `${path}:${line}`, message });
  };
  new Visitor({ ObjectExpression: visit }).visit(parseSync(path, text).program);
  return findings;
};

const valueOf = ({ properties }: ObjectExpression, name: string) => {
  for (const property of properties) {
    if (property.type === "Property" && property.key.type === "Identifier" && property.key.name === name) {
      return property.value;
    }
  }
  return undefined;
};
