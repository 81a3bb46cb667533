import { isCapstanError } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { ClusterResource, MachineResource } from "@capstan/contract/wire";
import { connect, createClient, loadKubeconfig, type Client } from "@capstan/kube";
import { systemClock } from "@capstan/runtime";
import {
  apiVersionOf,
  isJsonObject,
  isKind,
  type KubeObject,
  type Resource,
  type StructuralSchema,
} from "@capstan/schema";
import { nameOf, namingFields, type NamingField } from "./naming-fields.ts";
import { namedThings, type NamedThing } from "./named-things.ts";
import { put, smallest } from "./tenant-objects.ts";
import { theirValue, type Wanted } from "./their-values.ts";

const rbac = "rbac.authorization.k8s.io";
const named = (kind: string, plural: string) =>
  ({ group: rbac, version: "v1", kind, plural, namespaced: true }) as const;

/** Someone who may write objects of all these providers in team-a, but not their status, and nothing anywhere else. */
export const tenantOf = async (
  admin: Client,
  kubeconfig: string,
  providers: readonly ProviderV1[],
): Promise<AsyncDisposable & { readonly client: Client }> => {
  const kinds = providers.flatMap((provider) => provider.kinds);
  const metadata = { namespace: "team-a", name: "tenant" };
  const rules = [
    {
      apiGroups: [...new Set(kinds.map(({ group }) => group))],
      resources: kinds.map(({ plural }) => plural),
      verbs: ["get", "list", "watch", "create", "update", "patch", "delete"],
    },
  ];
  await admin.create(named("Role", "roles"), { apiVersion: `${rbac}/v1`, kind: "Role", metadata, rules });
  await admin.create(named("RoleBinding", "rolebindings"), {
    apiVersion: `${rbac}/v1`,
    kind: "RoleBinding",
    metadata,
    roleRef: { apiGroup: rbac, kind: "Role", name: "tenant" },
    subjects: [{ apiGroup: rbac, kind: "User", name: "tenant" }],
  });
  const connection = connect({ access: await loadKubeconfig({ file: kubeconfig }), clock: systemClock });
  const headers = { "Impersonate-User": "tenant" };
  const client = createClient({
    ...connection,
    send: (request) => connection.send({ ...request, headers: { ...request.headers, ...headers } }),
  });
  return { client, [Symbol.asyncDispose]: () => connection.close() };
};

export interface Attempt {
  readonly field: string;
  readonly guard: string;
  /** `taken`, `forbidden`, or why it was refused otherwise. */
  readonly answer: string;
}

const ourMachine = { clusterName: "ours", bootstrap: { dataSecretName: "boot" } };
const ours = (group: string, kind: string, name = "none") => ({ apiGroup: `${group}cluster.x-k8s.io`, kind, name });
const identity = { apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1", kind: "AzureClusterIdentity", name: "ours" };

/** What an object needs beside what its schema says, for fields such as these. */
const bases = ({ clouds, url }: Wanted): readonly (readonly [RegExp, Readonly<Record<string, unknown>>])[] => [
  [/^Cluster spec.topology/, { topology: { classRef: { name: "none" }, version: "v1.34.0" } }],
  [/^Cluster /, { infrastructureRef: ours("infrastructure.", "LinodeCluster") }],
  [/^Machine /, { ...ourMachine, infrastructureRef: ours("infrastructure.", "LinodeMachine") }],
  [
    /^Machine(Set|Deployment|Pool) /,
    {
      clusterName: "ours",
      selector: { matchLabels: {} },
      template: { spec: { ...ourMachine, infrastructureRef: ours("infrastructure.", "LinodeMachineTemplate") } },
    },
  ],
  [
    /^MachineHealthCheck /,
    {
      selector: { matchLabels: { none: "none" } },
      checks: { unhealthyNodeConditions: [{ type: "Ready", status: "False", timeoutSeconds: 300 }] },
    },
  ],
  [/^IPAddress/, { claimRef: { name: "none" }, poolRef: ours("ipam.", "Pool"), address: "10.99.0.1", prefix: 24 }],
  [/^LinodeMachine /, { region: "us-ord", type: "g6-standard-1", image: "linode/ubuntu22.04" }],
  [/^LinodeVPC /, { region: "us-ord", subnets: [{ label: "mine", ipv4: "10.9.0.0/24" }] }],
  [/^LinodeFirewall /, { enabled: true, inboundPolicy: "ACCEPT" }],
  [/^LinodeObjectStorageKey /, { generatedSecret: {} }],
  [
    /^AzureCluster /,
    { location: "westeurope", subscriptionID: clouds.azure?.simulator.subscriptionId ?? "", identityRef: identity },
  ],
  [/^AzureMachine /, { vmSize: "Standard_D2s_v3", osDisk: { osType: "Linux", diskSizeGB: 64 }, sshPublicKey: "" }],
  [/^AzureMachine .*userAssigned/, { identity: "UserAssigned" }],
  [/^AzureMachine .*(systemAssigned|roleAssignment)/, { identity: "SystemAssigned" }],
  [/^AzureClusterIdentity /, { type: "ServicePrincipal", allowedNamespaces: {} }],
  [/^AzureClusterIdentity .*(tenant|client|allowed)/, { clientSecret: { name: "ours-azure", namespace: "team-a" } }],
  [/^AzureClusterIdentity .*certPath/, { type: "ServicePrincipalCertificate" }],
  [/^AzureClusterIdentity .*CredentialsPath/, { type: "UserAssignedIdentityCredential" }],
  [/^AzureClusterIdentity .*resourceID/, { type: "UserAssignedMSI" }],
  [/^Workflow /, { templateRef: "none" }],
  [/^RKE2ControlPlane /, { version: "v1.34.0+rke2r1" }],
  [
    /^Machine.bmc /,
    {
      connection: {
        host: "127.0.0.1",
        port: Number(new URL(url).port),
        insecureTLS: true,
        authSecretRef: { name: "mine", namespace: "team-a" },
      },
    },
  ],
];

const merged = (base: unknown, over: unknown): unknown =>
  isJsonObject(base) && isJsonObject(over)
    ? Object.fromEntries(
        [...new Set([...Object.keys(base), ...Object.keys(over)])].map((key) => [
          key,
          key in over ? merged(base[key], over[key]) : base[key],
        ]),
      )
    : over;

/** What became of a write. */
export const answerOf = async (write: Promise<unknown>): Promise<string> => {
  try {
    await write;
    return "taken";
  } catch (error) {
    if (isCapstanError(error, "kube.forbidden")) return "forbidden";
    return error instanceof Error ? error.message : String(error);
  }
};

const isInfraMachine = (kind: Pick<Resource, "kind">): boolean =>
  /^(Linode|Azure|Tinkerbell|Elemental)Machine$/.test(kind.kind);
const isConfig = (kind: Pick<Resource, "kind">): boolean => kind.kind.endsWith("Config");

/** Returns whether a Machine has it. */
export const isUsedByMachine = (kind: Resource): boolean => isInfraMachine(kind) || isConfig(kind);

/** The Machine that an object of a kind is for. */
export const machineFor = (kind: Resource, name: string): KubeObject => {
  const reference = { apiGroup: kind.group, kind: kind.kind, name };
  const boot = { dataSecretName: "boot" };
  const none = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "LinodeMachine", name: `${name}-none` };
  const spec = {
    clusterName: "ours",
    version: "v1.34.0",
    bootstrap: isConfig(kind) ? { configRef: reference } : boot,
    infrastructureRef: isConfig(kind) ? none : reference,
  };
  return {
    apiVersion: apiVersionOf(MachineResource),
    kind: "Machine",
    metadata: { namespace: "team-a", name },
    spec,
  };
};

/** Objects of a Cluster with an identity, which nothing reads before something uses it. */
const clusterWith = (name: string, { clouds }: Wanted): readonly KubeObject[] => {
  const metadata = { namespace: "team-a", name };
  const infrastructureRef = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "AzureCluster", name };
  const subscriptionID = clouds.azure?.simulator.subscriptionId ?? "";
  const spec = { location: "westeurope", subscriptionID, identityRef: { ...identity, name } };
  return [
    { apiVersion: apiVersionOf(ClusterResource), kind: "Cluster", metadata, spec: { infrastructureRef } },
    { apiVersion: identity.apiVersion, kind: "AzureCluster", metadata, spec },
  ];
};

export type WithSchema = Resource & { readonly schema: StructuralSchema };

/** The smallest object of a kind that is taken. `field`: of the kind, for which something more may be needed. */
export const startOf = (kind: WithSchema, wanted: Wanted, field = ""): Readonly<Record<string, unknown>> => {
  const whole = smallest({ ...kind.schema, required: ["spec"] }) as Readonly<Record<string, unknown>>;
  const needed = bases(wanted).filter(([at]) => at.test(`${nameOf(kind)} ${field}`));
  return { ...whole, spec: needed.reduce<unknown>((spec, [, base]) => merged(spec, base), whole["spec"] ?? {}) };
};

const objectFor = (
  kind: WithSchema,
  field: NamingField,
  wanted: Wanted,
  index: number,
  thing: NamedThing,
): KubeObject => {
  const { schema } = kind;
  const { path, value } = theirValue(field, kind, thing, wanted);
  const filled = put(startOf(kind, wanted, field.path), schema, path, value) as Readonly<Record<string, unknown>>;
  const labels = { "cluster.x-k8s.io/cluster-name": "ours" };
  const metadata = { namespace: "team-a", name: `t-${index}`, labels };
  return { ...filled, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
};

/** Writes one object for each field that names something and is tried, with what is team-b's in it. */
export const tryEverything = async (
  tenant: Client,
  providers: readonly ProviderV1[],
  wanted: Wanted,
  isTried: (index: number, thing: NamedThing) => boolean,
): Promise<readonly Attempt[]> => {
  const kinds = providers.flatMap((provider) => provider.kinds);
  const things = namedThings("named-things.txt");
  const attempts: Attempt[] = [];
  for (const [index, field] of namingFields(kinds).entries()) {
    const thing = things.find(({ holds }) => holds(field.kind, field.path));
    const kind = kinds.find((each) => nameOf(each) === field.kind);
    if (thing === undefined || thing.class === "harmless" || !isTried(index, thing)) continue;
    if (kind === undefined || !isKind(kind)) continue;
    const object = objectFor(kind as WithSchema, field, wanted, index, thing);
    const answer = await answerOf(tenant.create(kind, object));
    attempts.push({ field: `${field.kind} ${field.path}`, guard: thing.guard, answer });
    if (answer !== "taken") continue;
    if (isUsedByMachine(kind)) await tenant.create(MachineResource, machineFor(kind, `t-${index}`));
    if (kind.kind !== identity.kind) continue;
    for (const user of clusterWith(`t-${index}`, wanted)) {
      await tenant.create(
        kinds.find((each) => each.kind === user.kind)!,
        user,
      );
    }
  }
  return attempts;
};
