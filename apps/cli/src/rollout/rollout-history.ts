import type { RolloutRevision } from "@capstan/core";
import { textTable } from "../text-table.ts";

const cells = ({ revision, since, template }: RolloutRevision, isLast: boolean): readonly string[] => [
  `${revision}${isLast ? " (current)" : ""}`,
  since,
  template.version ?? "-",
  template.bootstrap.configRef === undefined
    ? `Secret/${template.bootstrap.dataSecretName ?? ""}`
    : `${template.bootstrap.configRef.kind}/${template.bootstrap.configRef.name}`,
  `${template.infrastructureRef.kind}/${template.infrastructureRef.name}`,
  template.failureDomain ?? "-",
];

/** The revisions as a table. */
export const historyTable = (revisions: readonly RolloutRevision[]): readonly string[] => {
  const header = ["REVISION", "SINCE", "VERSION", "BOOTSTRAP", "INFRASTRUCTURE", "FAILURE DOMAIN"];
  return textTable(
    header,
    revisions.map((entry, index) => cells(entry, index === revisions.length - 1)),
  );
};
