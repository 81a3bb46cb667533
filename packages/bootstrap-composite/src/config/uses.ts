import { Group } from "@capstan/contract";
import type { BootstrapContext } from "@capstan/kit/bootstrap";
import { ofAnyKind } from "@capstan/kit/engine";
import type { CompositeConfig } from "../api/composite-config.ts";

/** Parts may be of any kind in the group that bootstrap providers share. Another group needs a role of the operator's. */
export const uses = {
  parts: ofAnyKind({
    groups: [Group.bootstrap],
    verbs: ["create"],
    rarely: { get: "a config that was made before a crash", patch: "a config that configRef names" },
  }),
};

export type Context = BootstrapContext<CompositeConfig, typeof uses>;
