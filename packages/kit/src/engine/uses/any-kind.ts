import type { PermissionV1, PermissionVerbV1 } from "@capstan/contract/v1";
import type { ContractReference } from "@capstan/contract/wire";
import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import type { ExternalKind, ExternalObject } from "../../external/external-objects.ts";
import { externalObjects } from "../../external/external-objects.ts";
import { listsFirst, permission, watched } from "../permissions.ts";
import type { Use } from "./use.ts";

/** Objects of kinds that only the object itself names. */
export interface AnyKind {
  /**
   * The API version and contract of a kind, from the labels of its CRD. The kind is watched from then on. Throws
   * `external.kind_missing`, `wire.contract_unknown`, `external.kind_not_synced`.
   */
  kind(reference: Pick<ContractReference, "apiGroup" | "kind">): Promise<ExternalKind>;
  /** The object in the user's namespace; `undefined` when it does not exist. Throws as `kind`. */
  find(reference: ContractReference): Promise<ExternalObject | undefined>;
}

export interface AnyKindOptions {
  /** Groups of the kinds that the role permits; another group needs a role of the operator's. */
  readonly groups: readonly string[];
  /** Permissions in addition to watching. */
  readonly verbs?: readonly PermissionVerbV1[];
  /** Verbs that only some runs use, each with the occasion. */
  readonly rarely?: PermissionV1["rarely"];
}

/** Objects of kinds that are known when the program runs. One that changes wakes its owners of the user's kind. */
export const ofAnyKind = ({ groups, rarely = {}, verbs = [] }: AnyKindOptions): Use<AnyKind> => ({
  permissions: [
    watched(CustomResourceDefinitionResource),
    ...groups.map((group) =>
      permission({ group, plural: "*", namespaced: true }, verbs, {
        rarely: { watch: "a kind that an object refers to", list: listsFirst, ...rarely },
      }),
    ),
  ],
  attach: (user) => {
    const objects = externalObjects(user);
    return {
      sources: [objects],
      open: ({ environment, identity }) => ({
        kind: (reference) => objects.kind(environment, reference),
        find: (reference) => objects.find(environment, reference, identity.namespace),
      }),
    };
  },
});
