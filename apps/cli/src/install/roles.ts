import { Group, Label } from "@capstan/contract";
import type { PermissionV1, ProviderV1 } from "@capstan/contract/v1";
import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { permission, watched } from "@capstan/kit";
import type { KubeObject } from "@capstan/schema";
import { replicasPath } from "../webhooks/scale-rules.ts";
import { webhookSecretName, type WebhookOptions } from "../webhooks/webhook-options.ts";
import {
  corePermissionsOn,
  diagnosticsPermissions,
  grantedVerbs,
  mergePermissions,
  ownPermissions,
} from "../providers/permissions.ts";

const rbac = "rbac.authorization.k8s.io";

export interface RoleOptions {
  /** Where managers, their ServiceAccounts and Leases are. */
  readonly systemNamespace: string;
  /** Namespaces the managers watch; empty: all. */
  readonly namespaces: readonly string[];
  /** ServiceAccount that runs all the providers in one process. Default: one for each provider. */
  readonly serviceAccount?: string | undefined;
  /** Whether the managers serve webhooks. */
  readonly webhooks?: WebhookOptions | undefined;
}

interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

interface Subject {
  readonly kind: "ServiceAccount";
  readonly name: string;
  readonly namespace: string;
}

export const accountName = (provider: string): string => `capstan-${provider}`;

/** Resources of a group that are granted the same verbs share a rule. */
const rulesOf = (permissions: readonly PermissionV1[]): readonly PolicyRule[] =>
  Array.from(
    Map.groupBy(permissions, (entry) => `${entry.group} ${grantedVerbs(entry).join()}`).values(),
    (same): PolicyRule => ({
      apiGroups: [same[0]?.group ?? ""],
      resources: same.map(({ resource }) => resource),
      verbs: same[0] === undefined ? [] : grantedVerbs(same[0]),
    }),
  );

const role = (
  kind: "Role" | "ClusterRole",
  metadata: KubeObject["metadata"],
  rules: readonly PolicyRule[],
): KubeObject => ({ apiVersion: `${rbac}/v1`, kind, metadata, rules });

const bound = (of: KubeObject, subject: Subject): KubeObject => ({
  apiVersion: `${rbac}/v1`,
  kind: `${of.kind}Binding`,
  metadata: { name: of.metadata.name ?? "", ...(of.metadata.namespace && { namespace: of.metadata.namespace }) },
  roleRef: { apiGroup: rbac, kind: of.kind, name: of.metadata.name },
  subjects: [subject],
});

/** Roles that grant permissions to a ServiceAccount: everywhere, or what has namespaces only in the named ones. */
const granted = (
  name: string,
  permissions: readonly PermissionV1[],
  subject: Subject,
  { namespaces }: RoleOptions,
  labels: Readonly<Record<string, string>> = {},
): readonly KubeObject[] => {
  const metadata = { name, ...(Object.keys(labels).length > 0 && { labels }) };
  const everywhere = permissions.filter(({ namespaced }) => namespaced === false || namespaces.length === 0);
  const within = permissions.filter((entry) => !everywhere.includes(entry));
  const roles = [
    ...(everywhere.length === 0 ? [] : [role("ClusterRole", metadata, rulesOf(everywhere))]),
    ...(within.length === 0
      ? []
      : namespaces.map((namespace) => role("Role", { ...metadata, namespace }, rulesOf(within)))),
  ];
  return roles.flatMap((each) => [each, bound(each, subject)]);
};

/** The Lease can be named in everything but its creation. */
const leaderElection = (subject: Subject, lease: string): readonly KubeObject[] => {
  const name = `${subject.name}-leader-election`;
  const leases = { apiGroups: ["coordination.k8s.io"], resources: ["leases"] };
  const rules = [
    { ...leases, verbs: ["create"] },
    { ...leases, verbs: ["get", "update"], resourceNames: [lease] },
  ];
  const each = role("Role", { name, namespace: subject.namespace }, rules);
  return [each, bound(each, subject)];
};

/** The certificate that webhooks serve is read, and renewed; it was made when they were installed. */
const webhookCertificates = (subject: Subject, lease: string): readonly KubeObject[] => {
  const name = `${subject.name}-webhook`;
  const rules = [
    { apiGroups: [""], resources: ["secrets"], resourceNames: [webhookSecretName(lease)], verbs: ["get", "update"] },
  ];
  const each = role("Role", { name, namespace: subject.namespace }, rules);
  return [each, bound(each, subject)];
};

/** What core does with the kinds of a provider. */
const contractVerbs: PermissionV1["verbs"] = ["get", "list", "watch", "create", "update", "patch", "delete"];

/** The groups in which Clusters and Machines find what they refer to. */
const contractGroups = [Group.bootstrap, Group.controlPlane, Group.infrastructure];

/**
 * Core works with the kinds of whatever providers there are: with those in the groups of the contract, and with others that a
 * ClusterRole with the label of upstream's core manager names.
 */
const foreignKinds = (subject: Subject, options: RoleOptions): readonly KubeObject[] => {
  const permissions = contractGroups.map((group) => ({ group, resource: "*", verbs: contractVerbs }));
  const labels = { [Label.aggregateToManager]: "true" };
  const aggregated: KubeObject = {
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRole",
    metadata: { name: "capstan-core-aggregated" },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] },
  };
  const bindings = options.namespaces.map((namespace) => ({
    ...bound(aggregated, subject),
    kind: "RoleBinding",
    metadata: { name: "capstan-core-aggregated", namespace },
  }));
  return [
    ...granted("capstan-core-contract-groups", permissions, subject, options),
    aggregated,
    ...(bindings.length === 0 ? [bound(aggregated, subject)] : bindings),
  ];
};

/** Webhooks look up which version of a kind a reference means, what is scaled, and what the providers say. */
const webhookPermissions = (providers: readonly ProviderV1[]): readonly PermissionV1[] => {
  const webhooks = providers.flatMap((provider) => provider.webhooks ?? []);
  const scaled = webhooks.filter((each) => replicasPath(each) !== undefined);
  return mergePermissions([
    watched(CustomResourceDefinitionResource),
    ...scaled.map(({ kind }) => permission(kind, ["get"])),
    ...webhooks.flatMap(({ permissions = [] }) => permissions),
  ]);
};

/** ServiceAccounts, roles and bindings with which managers run these providers, and nothing more than these need. */
export const rolesFor = (
  providers: readonly ProviderV1[],
  options: RoleOptions & { readonly leaseOf: (providers: readonly string[]) => string },
): readonly KubeObject[] => {
  const { systemNamespace: namespace, serviceAccount, leaseOf } = options;
  const subjectOf = (provider: string): Subject => {
    const shared = serviceAccount !== undefined && providers.some(({ name }) => name === provider);
    return { kind: "ServiceAccount", name: shared ? serviceAccount : accountName(provider), namespace };
  };
  const processes = serviceAccount === undefined ? providers.map((provider) => [provider]) : [providers];
  return [
    ...processes.flatMap((process) => {
      const names = process.map(({ name }) => name);
      const subject = subjectOf(names[0] ?? "");
      return [
        { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: subject.name, namespace } },
        ...granted(`${subject.name}-diagnostics`, diagnosticsPermissions, subject, options),
        ...leaderElection(subject, leaseOf(names)),
        ...(options.webhooks === undefined
          ? []
          : [
              ...webhookCertificates(subject, leaseOf(providers.map(({ name }) => name))),
              ...granted(`${subject.name}-webhooks`, webhookPermissions(process), subject, options),
            ]),
      ];
    }),
    ...providers.flatMap((provider) => [
      ...granted(accountName(provider.name), ownPermissions(provider), subjectOf(provider.name), options),
      ...(provider.name === "core" ? foreignKinds(subjectOf("core"), options) : []),
      ...granted(`capstan-core-${provider.name}`, corePermissionsOn(provider), subjectOf("core"), options, {
        [Label.aggregateToManager]: "true",
      }),
    ]),
  ];
};
