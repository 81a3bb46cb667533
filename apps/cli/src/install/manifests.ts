import type { ProviderV1 } from "@capstan/contract/v1";
import type { KubeObject } from "@capstan/schema";
import { stringify } from "yaml";
import { leaseName } from "../manager/lease-name.ts";
import { definitionsOf } from "../providers/install-crds.ts";
import { rolesFor, type RoleOptions } from "./roles.ts";

export interface InstallOptions extends RoleOptions {
  /** For the names of Leases. */
  readonly watchFilter?: string | undefined;
}

/** What must be in a cluster before managers of these providers run, in the order in which it is applied. */
export const manifestsFor = (providers: readonly ProviderV1[], options: InstallOptions): readonly KubeObject[] => [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: options.systemNamespace } },
  ...(definitionsOf(providers) as readonly object[] as readonly KubeObject[]),
  ...rolesFor(providers, {
    ...options,
    leaseOf: (names) => leaseName(names, options),
  }),
];

/** As a file for kubectl. */
export const manifestText = (objects: readonly KubeObject[]): string =>
  objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join("---\n");
