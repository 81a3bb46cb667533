import { Group, Label } from "@capstan/contract";
import type { PermissionV1, ProviderV1 } from "@capstan/contract/v1";
import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { permission, watched } from "@capstan/kit";
import type { KubeObject } from "@capstan/schema";
import { defaultInstallation, leasesOf, webhookSecretName, type Share } from "../cluster/installation.ts";
import { referencePermissions, webhooksOf } from "../webhooks/admitted-references.ts";
import { referenceKeyName } from "../cluster/reference-key.ts";
import { replicasPath } from "../webhooks/scale-rules.ts";
import { configurationKinds } from "../webhooks/webhook-clients.ts";
import type { WebhookOptions } from "../webhooks/webhook-options.ts";
import {
  corePermissionsOn,
  diagnosticsPermissions,
  grantedVerbs,
  mergePermissions,
  ownPermissions,
} from "../providers/permissions.ts";

const rbac = "rbac.authorization.k8s.io";

export interface RoleOptions extends Share {
  /** The name of the installation, with which the names of its roles and accounts begin. */
  readonly installation: string;
  /** What was installed before: its managers hold their Leases until the new ones take over. */
  readonly before?: (Share & { readonly providers: readonly string[] }) | undefined;
  /** Names under which older releases kept what managers remove once they lead. */
  readonly older?: readonly string[] | undefined;
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

/** The account of a provider, and the beginning of the names of its roles. */
const accountName = (installation: string, provider: string): string => `${installation}-${provider}`;

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

const namedRole = (subject: Subject, suffix: string, rules: readonly PolicyRule[]): readonly KubeObject[] => {
  const each = role("Role", { name: `${subject.name}-${suffix}`, namespace: subject.namespace }, rules);
  return [each, bound(each, subject)];
};

/** Leases can be named in everything but their creation; those of others are seen, so that no two lead. */
const leaderElection = (subject: Subject, leases: readonly string[]): readonly KubeObject[] => {
  const kind = { apiGroups: ["coordination.k8s.io"], resources: ["leases"] };
  return namedRole(subject, "leader-election", [
    { ...kind, verbs: ["create", "list"] },
    { ...kind, verbs: ["get", "update"], resourceNames: leases },
  ]);
};

/** The certificate that webhooks serve is read, and renewed; it was made when they were installed. */
const webhookCertificates = (subject: Subject, installation: string): readonly KubeObject[] =>
  namedRole(subject, "webhook", [
    {
      apiGroups: [""],
      resources: ["secrets"],
      resourceNames: [webhookSecretName(installation)],
      verbs: ["get", "update"],
    },
  ]);

/** By its key managers know the references that admission has marked. */
const referenceKeys = (subject: Subject, installation: string): readonly KubeObject[] =>
  namedRole(subject, "references", [
    { apiGroups: [""], resources: ["secrets"], resourceNames: [referenceKeyName(installation)], verbs: ["get"] },
  ]);

/** What older releases left is removed by who leads in their place. */
const olderState = (subject: Subject, { older = [] }: RoleOptions): readonly KubeObject[] => {
  if (older.length === 0) return [];
  const verbs = ["get", "delete"] as const;
  const configurations = role("ClusterRole", { name: `${subject.name}-older` }, [
    {
      apiGroups: ["admissionregistration.k8s.io"],
      resources: configurationKinds.map(({ plural }) => plural),
      resourceNames: older,
      verbs,
    },
  ]);
  return [
    ...namedRole(subject, "older", [
      { apiGroups: ["coordination.k8s.io"], resources: ["leases"], resourceNames: older, verbs },
      { apiGroups: [""], resources: ["secrets"], resourceNames: older.map(webhookSecretName), verbs },
    ]),
    configurations,
    bound(configurations, subject),
  ];
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
    metadata: { name: `${options.installation}-core-aggregated` },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] },
  };
  const bindings = options.namespaces.map((namespace) => ({
    ...bound(aggregated, subject),
    kind: "RoleBinding",
    metadata: { name: aggregated.metadata.name ?? "", namespace },
  }));
  return [
    ...granted(`${options.installation}-core-contract-groups`, permissions, subject, options),
    aggregated,
    ...(bindings.length === 0 ? [bound(aggregated, subject)] : bindings),
  ];
};

/**
 * Webhooks look up which version of a kind a reference means, whether configurations trust them, what is scaled, and what the
 * providers say.
 */
const webhookPermissions = (providers: readonly ProviderV1[]): readonly PermissionV1[] => {
  const webhooks = providers.flatMap(webhooksOf);
  const scaled = webhooks.filter((each) => replicasPath(each) !== undefined);
  return mergePermissions([
    watched(CustomResourceDefinitionResource, ["get"]),
    ...configurationKinds.map((kind) => permission(kind, ["list"])),
    ...scaled.map(({ kind }) => permission(kind, ["get"])),
    ...webhooks.flatMap(({ permissions = [] }) => permissions),
    ...referencePermissions(providers),
  ]);
};

/** ServiceAccounts, roles and bindings with which managers run these providers, and nothing more than these need. */
export const rolesFor = (providers: readonly ProviderV1[], options: RoleOptions): readonly KubeObject[] => {
  const { installation, systemNamespace: namespace, serviceAccount } = options;
  const subjectOf = (provider: string): Subject => {
    const isOwn = providers.some(({ name }) => name === provider);
    // Core may be somebody else's: then it is that of the usual installation.
    const own = accountName(isOwn ? installation : defaultInstallation, provider);
    return { kind: "ServiceAccount", name: isOwn ? (serviceAccount ?? own) : own, namespace };
  };
  const leases = (names: readonly string[], share: Share | undefined): readonly string[] =>
    share === undefined ? [] : leasesOf(installation, names, share).map(({ name }) => name);
  /** Of what was installed before, what the account of these providers ran. */
  const staying = (names: readonly string[]): readonly string[] =>
    (options.before?.providers ?? []).filter((name) => serviceAccount !== undefined || names.includes(name));
  const processes = serviceAccount === undefined ? providers.map((provider) => [provider]) : [providers];
  return [
    ...processes.flatMap((process) => {
      const names = process.map(({ name }) => name);
      const subject = subjectOf(names[0] ?? "");
      return [
        { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: subject.name, namespace } },
        ...granted(`${subject.name}-diagnostics`, diagnosticsPermissions, subject, options),
        ...leaderElection(subject, [
          ...new Set([...leases(names, options), ...leases(staying(names), options.before)]),
        ]),
        ...referenceKeys(subject, installation),
        ...olderState(subject, options),
        ...(options.webhooks === undefined
          ? []
          : [
              ...webhookCertificates(subject, installation),
              ...granted(`${subject.name}-webhooks`, webhookPermissions(process), subject, options),
            ]),
      ];
    }),
    ...providers.flatMap((provider) => [
      ...granted(accountName(installation, provider.name), ownPermissions(provider), subjectOf(provider.name), options),
      ...(provider.name === "core" ? foreignKinds(subjectOf("core"), options) : []),
      ...granted(`${installation}-core-${provider.name}`, corePermissionsOn(provider), subjectOf("core"), options, {
        [Label.aggregateToManager]: "true",
      }),
    ]),
  ];
};
