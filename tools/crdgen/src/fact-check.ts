import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Kind } from "@capstan/schema";
import { crdOf } from "@capstan/schema/manifest";
import { extensions } from "./extensions.ts";
import { factsOf } from "./facts.ts";
import type { ApiPackage } from "./packages.ts";

const upstreamFacts = (kind: Kind): ReadonlySet<string> => {
  const path = join(import.meta.dirname, "../facts", `${kind.group}_${kind.plural}.txt`);
  return new Set(readFileSync(path, "utf8").trimEnd().split("\n"));
};

/** Every fact in which our definition of a kind differs from upstream's, beyond the extensions. */
export const differences = (kind: Kind): readonly string[] => {
  const upstream = upstreamFacts(kind);
  const facts = factsOf(crdOf(kind));
  const ours = new Set(facts);
  const allowed = extensions.filter((extension) => extension.kind === kind.kind).flatMap(({ facts: lines }) => lines);
  return [
    ...facts.filter((fact) => !upstream.has(fact) && !allowed.includes(fact)).map((fact) => `+ ${fact}`),
    ...[...upstream].filter((fact) => !ours.has(fact) && !allowed.includes(fact)).map((fact) => `- ${fact}`),
    ...allowed.filter((fact) => ours.has(fact) === upstream.has(fact)).map((fact) => `extension not there: ${fact}`),
  ];
};

/** Kinds that upstream does not have. */
const isOwn = ({ group }: Kind): boolean => group.endsWith(".capstan.dev");

/** The same for all kinds that upstream has; `+` is ours, `-` is upstream's. */
export const factFindings = (packages: readonly ApiPackage[]): readonly string[] =>
  packages.flatMap(({ kinds }) =>
    kinds
      .filter((kind) => !isOwn(kind))
      .flatMap((kind) => differences(kind).map((difference) => `${kind.kind}: ${difference}`)),
  );
