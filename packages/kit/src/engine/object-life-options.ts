import type { ContractVersion } from "@capstan/contract/wire";
import type { Environment } from "@capstan/runtime";
import type { Holding } from "./holds/holding.ts";
import type { SharedInventory } from "./inventory.ts";
import type { AuthorOf, LifeTypes } from "./object-author.ts";
import type { AttachedUse } from "./uses/use.ts";
import type { Verbs } from "./verbs.ts";

/** Options of the reconciler of one kind. */
export interface ObjectLifeOptions<T extends LifeTypes> {
  readonly author: AuthorOf<T>;
  readonly environment: Environment;
  readonly contract: ContractVersion;
  readonly holding: Holding;
  readonly inventory: SharedInventory<T["api"], T["item"]> | undefined;
  readonly uses: readonly (readonly [string, AttachedUse<unknown>])[];
  readonly verbs: Verbs;
  /** Name of the cloud, which all kinds of a provider share. */
  readonly cloud: string;
}
