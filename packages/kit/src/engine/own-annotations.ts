import { holdsAnnotation } from "./holds/hold-record.ts";
import { installationAnnotation } from "./installation.ts";
import { openWritesAnnotation } from "./open-writes.ts";
import { operationsAnnotation } from "./operations.ts";
import { ownerIdAnnotation } from "./owner.ts";

/** Annotations that are the engine's and the role's records: their changes do not trigger anything. */
export const ownAnnotationsOf = ({ ownAnnotations = [] }: { readonly ownAnnotations?: readonly string[] }) => [
  openWritesAnnotation,
  operationsAnnotation,
  holdsAnnotation,
  ownerIdAnnotation,
  installationAnnotation,
  ...ownAnnotations,
];
