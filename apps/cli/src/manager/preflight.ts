import { CapstanError, isCapstanError, type Clock } from "@capstan/contract";
import type { PermissionV1, ProviderV1 } from "@capstan/contract/v1";
import { ClusterResource, MachineResource } from "@capstan/contract/wire";
import { mergePermissions } from "@capstan/kit";
import { createDiscovery, type Client, type LeaseMark } from "@capstan/kube";
import { countNoun } from "@capstan/kube-values";
import { apiVersionOf, type Resource } from "@capstan/schema";
import { controllersOf, mayFollowClusters } from "../providers/compose-manager.ts";
import { ownPermissions } from "../providers/permissions.ts";
import type { View } from "../view/view.ts";

/** As long as upstream's managers wait for their caches. */
const patienceMs = 120_000;
const lookEveryMs = 2_000;
const reportEveryMs = 15_000;

type Call = { readonly signal: AbortSignal };

/** Lists, as `Kind (apiVersion)`, the kinds that the providers own or work for and the server does not serve. */
const missingKinds = async (
  client: Client,
  providers: readonly ProviderV1[],
  call: Call,
): Promise<readonly string[]> => {
  const isForClusters = providers.flatMap(controllersOf).some(mayFollowClusters);
  const worksFor: readonly Resource[] = isForClusters ? [ClusterResource, MachineResource] : [];
  const kinds: readonly Resource[] = [...worksFor, ...providers.flatMap((each) => each.kinds)];
  const discovery = createDiscovery(client);
  const missing = new Set<string>();
  const look = async (wanted: readonly Resource[]): Promise<void> => {
    for (const kind of wanted) {
      if ((await discovery.resourceFor(kind, call)) === undefined) missing.add(`${kind.kind} (${apiVersionOf(kind)})`);
    }
  };
  await Promise.all(Array.from(Map.groupBy(kinds, apiVersionOf).values(), look));
  return [...missing];
};

/**
 * Resolves once the server serves every kind that the providers need. Looks again every 2 s and says every 15 s what is missing, so
 * that a manager and its definitions may be applied at once, in any order. Throws `manager.crds_missing` after two minutes.
 */
export const requireKinds = async (
  client: Client,
  providers: readonly ProviderV1[],
  { clock, view, signal }: Call & { readonly clock: Clock; readonly view: View },
): Promise<void> => {
  const deadline = clock.now() + patienceMs;
  let reportAt = clock.now();
  for (;;) {
    const missing = await missingKinds(client, providers, { signal });
    if (missing.length === 0) return;
    const problem = `the cluster does not serve ${missing.join(", ")}; run with --install, or apply the output of "capstan install --print"`;
    const now = clock.now();
    if (now >= deadline) {
      throw new CapstanError({
        code: "manager.crds_missing",
        reason: "DefinitionsMissing",
        message: problem,
        retry: { kind: "never" },
      });
    }
    if (now >= reportAt) {
      const seconds = Math.ceil((deadline - now) / 1_000);
      view.say({ type: "waiting", text: `${problem}; waiting up to ${seconds} s`, fields: { missing } });
      reportAt = now + reportEveryMs;
    }
    await clock.sleep(lookEveryMs, { signal });
  }
};

interface Access {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  /** Name of the only object that access is requested for. */
  readonly name?: string;
}

const describeAccess = ({ verb, group, resource, namespace, name }: Access): string =>
  `${verb} ${resource}${group === "" ? "" : `.${group}`} ${name === undefined ? "" : `${name} `}${namespace === "" ? "in all namespaces" : `in namespace ${namespace}`}`;

const isAllowed = async (client: Client, access: Access, call: Call): Promise<boolean> => {
  const [resource = "", subresource] = access.resource.split("/");
  const { verb, group, namespace, name } = access;
  const { status } = await client.request<{ readonly status?: { readonly allowed?: boolean } }>({
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes: { verb, group, resource, subresource, namespace, name } },
    },
    ...call,
  });
  return status?.allowed === true;
};

/** Returns the server's name for the account; `this account` where the server does not say. */
const accountName = async (client: Client, call: Call): Promise<string> => {
  try {
    const { status } = await client.request<{
      readonly status?: { readonly userInfo?: { readonly username?: string } };
    }>({
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
      ...call,
    });
    const name = status?.userInfo?.username;
    return name === undefined ? "this account" : `the account ${name}`;
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    return "this account";
  }
};

const accessesOf = (permissions: readonly PermissionV1[], namespaces: readonly string[]): readonly Access[] =>
  permissions.flatMap(({ group, resource, verbs, namespaced }) =>
    (namespaced === false || namespaces.length === 0 ? [""] : namespaces).flatMap((namespace) =>
      verbs.map((verb) => ({ verb, group, resource, namespace })),
    ),
  );

/** Returns a manager's accesses to its Leases: the server does not know their names when they are created. */
const leaseAccesses = (namespace: string, leases: readonly LeaseMark[]): readonly Access[] => {
  if (leases.length === 0) return [];
  const kind = { group: "coordination.k8s.io", resource: "leases", namespace };
  return [
    { ...kind, verb: "create" },
    ...leases.flatMap(({ name }) => ["get", "update"].map((verb) => ({ ...kind, verb, name }))),
  ];
};

/** Throws `manager.not_permitted` with everything that the providers do and this account may not. */
export const requirePermissions = async (
  client: Client,
  providers: readonly ProviderV1[],
  options: {
    readonly namespaces: readonly string[];
    readonly systemNamespace: string;
    readonly leases: readonly LeaseMark[];
    readonly extra: readonly PermissionV1[];
  },
  call: Call,
): Promise<void> => {
  const permissions = mergePermissions([...providers.flatMap(ownPermissions), ...options.extra]);
  const accesses = [
    ...accessesOf(permissions, options.namespaces),
    ...leaseAccesses(options.systemNamespace, options.leases),
  ];
  const refused = (
    await Promise.all(
      accesses.map(async (access) => ((await isAllowed(client, access, call)) ? [] : [describeAccess(access)])),
    )
  ).flat();
  if (refused.length === 0) return;
  throw new CapstanError({
    code: "manager.not_permitted",
    reason: "NotPermitted",
    message: [
      `${await accountName(client, call)} lacks ${countNoun(refused.length, "permission")}; bind the roles printed by "capstan install --print", or use --namespace`,
      ...refused,
    ].join("\n  "),
    retry: { kind: "never" },
  });
};
