import type { ExtensionFactory } from "../registry/extension.ts";
import { bootstrapSigner } from "./bootstrap-signer.ts";
import { bootstrapTokenCleaner } from "./bootstrap-token-cleaner.ts";
import { clusterRoleAggregation } from "./cluster-role-aggregation.ts";
import { disruptionStatus } from "./disruption-status.ts";
import { eventExpiry } from "./event-expiry.ts";
import { garbageCollector } from "./garbage-collector.ts";
import { namespaceController } from "./namespace-controller.ts";
import { defaultServiceAccount, rootCaPublisher } from "./namespace-defaults.ts";
import { storageProtection } from "./storage-protection.ts";
import { tokenSecrets } from "./token-secrets.ts";

/** The controllers a server can run, by name. */
const factories = {
  "garbage-collector": garbageCollector,
  namespace: namespaceController,
  "default-service-account": defaultServiceAccount,
  "root-ca-publisher": rootCaPublisher,
  "token-secrets": tokenSecrets,
  "cluster-role-aggregation": clusterRoleAggregation,
  "disruption-status": disruptionStatus,
  "event-expiry": eventExpiry,
  "storage-protection": storageProtection,
  "bootstrap-token-cleaner": bootstrapTokenCleaner,
  "bootstrap-signer": bootstrapSigner,
} as const satisfies Readonly<Record<string, ExtensionFactory>>;

export type ControllerName = keyof typeof factories;

export const controllerNames = Object.keys(factories) as readonly ControllerName[];

/** Controllers every server should run. `bootstrap-token-cleaner` and `bootstrap-signer` are for clusters that Nodes join. */
export const standardControllers: readonly ControllerName[] = [
  "garbage-collector",
  "namespace",
  "default-service-account",
  "root-ca-publisher",
  "token-secrets",
  "cluster-role-aggregation",
  "disruption-status",
  "event-expiry",
  "storage-protection",
];

/** Extensions that run the named controllers. Default: the standard ones. */
export const controllers = (names: readonly ControllerName[] = standardControllers): readonly ExtensionFactory[] =>
  names.map((name) => factories[name]);
