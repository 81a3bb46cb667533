import { Group, Label } from "@capstan/contract";
import type { PermissionV1, ProviderV1 } from "@capstan/contract/v1";
import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import {
  bound,
  granted,
  leaderElection,
  mergePermissions,
  namedRole,
  permission,
  role,
  type Subject,
  watched,
} from "@capstan/kit";
import type { KubeObject } from "@capstan/schema";
import { defaultInstallation, leasesOf, webhookSecretName, type Share } from "../cluster/installation.ts";
import { referencePermissions, webhooksOf } from "../webhooks/admitted-references.ts";
import { referenceKeyName } from "../cluster/reference-key.ts";
import { recordName } from "./record.ts";
import { replicasPath } from "../webhooks/scale-rules.ts";
import { configurationKinds } from "../webhooks/webhook-clients.ts";
import type { WebhookOptions } from "../webhooks/webhook-options.ts";
import { corePermissionsOn, diagnosticsPermissions, ownPermissions } from "../providers/permissions.ts";

export interface RoleOptions extends Share {
  /** The name of the installation, with which the names of its roles and accounts begin. */
  readonly installation: string;
  /** The previous installation: its managers hold their Leases until the new ones take over. */
  readonly before?: (Share & { readonly providers: readonly string[] }) | undefined;
  /** Names under which older releases kept what managers remove once they lead. */
  readonly older?: readonly string[] | undefined;
  /** Where managers, their ServiceAccounts and Leases are. */
  readonly systemNamespace: string;
  /** Namespaces the managers watch; empty: all. */
  readonly namespaces: readonly string[];
  /** ServiceAccount that runs all the providers in one process. Default: one for each provider. */
  readonly serviceAccount?: string | undefined;
  /** The only Lease of the managers. Default: one for each provider. */
  readonly leaderElectName?: string | undefined;
  /** Options of the managers' webhooks; absent: they serve none. */
  readonly webhooks?: WebhookOptions | undefined;
}

/** The account of a provider, and the beginning of the names of its roles. */
const accountName = (installation: string, provider: string): string => `${installation}-${provider}`;

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

/** A manager reads by which release the installation was made. */
const installationRecord = (subject: Subject, installation: string): readonly KubeObject[] =>
  namedRole(subject, "installation", [
    { apiGroups: [""], resources: ["configmaps"], resourceNames: [recordName(installation)], verbs: ["get"] },
  ]);

/** Returns the roles for removing what older releases left, by the manager that leads in their place. */
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

/** Verbs that core uses on the kinds of a provider. */
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
    apiVersion: "rbac.authorization.k8s.io/v1",
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
    // Core may be another user's: then it is that of the usual installation.
    const own = accountName(isOwn ? installation : defaultInstallation, provider);
    return { kind: "ServiceAccount", name: isOwn ? (serviceAccount ?? own) : own, namespace };
  };
  const leases = (names: readonly string[], share: Share | undefined): readonly string[] =>
    share === undefined ? [] : leasesOf(installation, names, share).map(({ name }) => name);
  const only = options.leaderElectName === undefined ? undefined : [options.leaderElectName];
  /** Returns the part of the previous installation that the account of these providers ran. */
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
          ...new Set([...(only ?? leases(names, options)), ...leases(staying(names), options.before)]),
        ]),
        ...referenceKeys(subject, installation),
        ...installationRecord(subject, installation),
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
