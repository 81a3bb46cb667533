import { byText } from "@capstan/kube-values";
import { pathsOf } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import type { Owner } from "./managed-fields.ts";

/** Why an apply is refused with 409: other managers own paths whose value it would change. */
export interface ApplyConflicts {
  /** For the `Status` answer. */
  readonly message: string;
  /** One per owner and path. */
  readonly causes: readonly {
    readonly reason: "FieldManagerConflict";
    readonly message: string;
    /** Such as `.spec.ports[port=80,protocol="TCP"].name`. */
    readonly field: string;
  }[];
}

/** Describes disputed fields by owner, owners in alphabetical order. */
export const conflictsOf = (
  disputed: readonly { readonly owner: Owner; readonly fields: FieldSet }[],
): ApplyConflicts => {
  const claims = disputed
    .map(({ owner, fields }) => ({ name: nameOf(owner), paths: pathsOf(fields) }))
    .sort((left, right) => byText(left.name, right.name));
  const causes = claims.flatMap(({ name, paths }) =>
    paths.map((field) => ({ reason: "FieldManagerConflict" as const, message: `conflict with ${name}`, field })),
  );
  const [first] = causes;
  const message =
    causes.length === 1 && first !== undefined
      ? `Apply failed with 1 conflict: ${first.message}: ${first.field}`
      : `Apply failed with ${causes.length} conflicts: ${claims.map(listOf).join("\n")}`;
  return { message, causes };
};

const listOf = ({ name, paths }: { readonly name: string; readonly paths: readonly string[] }): string =>
  [`conflicts with ${name}:`, ...paths.map((path) => `- ${path}`)].join("\n");

const nameOf = ({ manager, operation, apiVersion, subresource }: Owner): string =>
  [
    JSON.stringify(manager),
    ...(subresource === undefined ? [] : [`with subresource ${JSON.stringify(subresource)}`]),
    ...(operation === "Update" ? [`using ${apiVersion}`] : []),
  ].join(" ");
