import type { ProviderV1 } from "@capstan/contract/v1";
import { webhookClientConfig, WebhookPath } from "@capstan/runtime/webhook";
import type { CustomResourceDefinition, KubeObject } from "@capstan/schema";
import { stringify } from "yaml";
import { labelled } from "../cluster/installation.ts";
import { managersForClusterctl } from "../providers/clusterctl.ts";
import { definitionsOf, type ConversionPlace } from "../providers/install-crds.ts";
import { webhookManifests } from "../webhooks/webhook-manifests.ts";
import type { InstalledAuthority } from "./authority.ts";
import { managerDeployment, type DeploymentOptions } from "./deployment.ts";
import { recordOf } from "./record.ts";
import { rolesFor, type RoleOptions } from "./roles.ts";

export interface InstallOptions extends RoleOptions {
  readonly watchFilter?: string | undefined;
  /** Managers inside the cluster, for which there must be a `serviceAccount`. */
  readonly deployment?: DeploymentOptions | undefined;
}

/** Everything of an installation, in the order in which it is applied. */
export interface Manifests {
  readonly namespace: KubeObject;
  readonly definitions: readonly CustomResourceDefinition[];
  /** ServiceAccounts, roles and bindings, and the record of what is installed. */
  readonly accounts: readonly KubeObject[];
  /** Service and configurations of webhooks. */
  readonly webhooks: readonly KubeObject[];
  /** The Secrets that managers serve and mark by; they hold private keys. */
  readonly certificate: readonly KubeObject[];
  readonly deployments: readonly KubeObject[];
}

const deploymentsOf = (options: InstallOptions): readonly KubeObject[] => {
  const { deployment, serviceAccount } = options;
  if (deployment === undefined || serviceAccount === undefined) return [];
  return [managerDeployment({ ...options, ...deployment, serviceAccount })];
};

/** Where kinds are converted: nowhere without webhooks. */
const conversionOf = (
  { webhooks }: InstallOptions,
  authority: InstalledAuthority | undefined,
): ConversionPlace | undefined =>
  webhooks === undefined || authority === undefined
    ? undefined
    : webhookClientConfig(webhooks.endpoint, WebhookPath.convert, authority.caBundle);

/** All with the label of the installation. The authority is that of the webhooks, where there are any. */
export const manifestsOf = (
  providers: readonly ProviderV1[],
  options: InstallOptions,
  authority: InstalledAuthority | undefined,
): Manifests => {
  const { installation, webhooks, systemNamespace } = options;
  const own = (objects: readonly KubeObject[]): readonly KubeObject[] =>
    objects.map((object) => labelled(object, installation));
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: systemNamespace } };
  const managers = (objects: readonly KubeObject[]) => own(managersForClusterctl(objects, providers));
  const served = webhooks === undefined || authority === undefined ? undefined : { webhooks, ...authority };
  return {
    namespace: labelled(namespace, installation),
    definitions: own(definitionsOf(providers, conversionOf(options, authority))) as never,
    accounts: own([...rolesFor(providers, options), recordOf(providers, options)]),
    webhooks: managers(
      served === undefined
        ? []
        : webhookManifests(providers, served.webhooks, { caBundle: served.caBundle, name: installation }),
    ),
    certificate: own(served === undefined ? [] : [served.secret, served.referenceKey.secret]),
    deployments: managers(deploymentsOf(options)),
  };
};

/** Every one of them, in the order in which they are applied. */
export const allManifests = (manifests: Manifests): readonly KubeObject[] => [
  manifests.namespace,
  ...(manifests.definitions as readonly object[] as readonly KubeObject[]),
  ...manifests.accounts,
  ...manifests.certificate,
  ...manifests.webhooks,
  ...manifests.deployments,
];

/** As a file for kubectl. */
export const manifestText = (objects: readonly KubeObject[]): string =>
  objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join("---\n");
