import { bootstrapConfigStatus, clusterNameColumn } from "@capstan/contract/v1";
import { kind } from "@capstan/schema";
import { compositeConfigSpec } from "./composite-config-spec.ts";
import { names } from "./names.ts";

export const CompositeConfig = kind({
  ...names,
  kind: "CompositeConfig",
  plural: "compositeconfigs",
  description: "Bootstrap data of one machine, made of several parts.",
  columns: [
    clusterNameColumn,
    { name: "Data secret created", path: ".status.initialization.dataSecretCreated" },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
  ],
  spec: compositeConfigSpec(),
  status: bootstrapConfigStatus({}),
});

/** One CompositeConfig. */
export type CompositeConfig = typeof CompositeConfig.Type;
