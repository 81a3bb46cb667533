import type { Clock } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { webhookClientConfig, WebhookPath } from "@capstan/runtime/webhook";
import type { KubeObject } from "@capstan/schema";
import { stringify } from "yaml";
import { leaseName } from "../cluster/lease-name.ts";
import { definitionsOf } from "../providers/install-crds.ts";
import { webhookManifests } from "../webhooks/webhook-manifests.ts";
import { printedCertificate } from "../webhooks/webhook-certificate.ts";
import { managerDeployment, type DeploymentOptions } from "./deployment.ts";
import { rolesFor, type RoleOptions } from "./roles.ts";

export interface InstallOptions extends RoleOptions {
  /** For the names of Leases. */
  readonly watchFilter?: string | undefined;
  /** Managers inside the cluster, for which there must be a `serviceAccount`. */
  readonly deployment?: DeploymentOptions | undefined;
}

const namesOf = (providers: readonly ProviderV1[]): readonly string[] => providers.map(({ name }) => name);

/** The Lease that managers of these providers take turns by. */
export const installedLease = (providers: readonly ProviderV1[], options: InstallOptions): string =>
  leaseName(namesOf(providers), options);

/** What must be in a cluster, beside definitions, before managers of these providers run, there or elsewhere. */
export const accountsFor = (providers: readonly ProviderV1[], options: InstallOptions): readonly KubeObject[] => [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: options.systemNamespace } },
  ...rolesFor(providers, { ...options, leaseOf: (names) => leaseName(names, options) }),
];

/** The Deployment, if the managers are to be inside the cluster. */
export const deploymentsFor = (options: InstallOptions): readonly KubeObject[] => {
  const { deployment, serviceAccount } = options;
  if (deployment === undefined || serviceAccount === undefined) return [];
  return [managerDeployment({ ...options, ...deployment, serviceAccount })];
};

/** The whole installation in the order in which it is applied. With webhooks it holds their private keys. */
export const printedManifests = async (
  providers: readonly ProviderV1[],
  options: InstallOptions & { readonly clock: Clock },
): Promise<readonly KubeObject[]> => {
  const { clock, systemNamespace, webhooks } = options;
  const [namespace, ...roles] = accountsFor(providers, options) as readonly [KubeObject, ...KubeObject[]];
  const lease = installedLease(providers, options);
  const made =
    webhooks === undefined
      ? undefined
      : { webhooks, ...(await printedCertificate(webhooks, { clock, systemNamespace, lease })) };
  const definitions = definitionsOf(
    providers,
    made && webhookClientConfig(made.webhooks.endpoint, WebhookPath.convert, made.caBundle),
  );
  return [
    namespace,
    ...(definitions as readonly object[] as readonly KubeObject[]),
    ...roles,
    ...(made === undefined
      ? []
      : [made.secret, ...webhookManifests(providers, made.webhooks, { caBundle: made.caBundle, name: lease })]),
    ...deploymentsFor(options),
  ];
};

/** As a file for kubectl. */
export const manifestText = (objects: readonly KubeObject[]): string =>
  objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join("---\n");
