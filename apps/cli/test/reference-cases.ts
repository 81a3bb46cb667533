import { Annotation, isCapstanError } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { type MergePatch, NamespaceResource, SecretResource } from "@capstan/contract/wire";
import { AzureClusterIdentity } from "@capstan/infra-azure/api";
import { LinodeMachine, LinodeMachineTemplate, LinodeObjectStorageKey } from "@capstan/infra-linode/api";
import { admittedReferencesAnnotation, declaredReferences, markedReferences } from "@capstan/kit/admission";
import { BmcMachine } from "@capstan/tinkerbell/api";
import { connect, createClient, type Access, type Client, type Connection } from "@capstan/kube";
import { systemClock } from "@capstan/runtime";
import { apiVersionOf, isKind, type KubeObject, type Resource, resource } from "@capstan/schema";
import { expect } from "vitest";
import { localKeyPlace, readReferenceKey } from "../src/cluster/reference-key.ts";

const rbac = { group: "rbac.authorization.k8s.io", version: "v1" } as const;
const Role = resource({ ...rbac, kind: "Role", plural: "roles" });
const RoleBinding = resource({ ...rbac, kind: "RoleBinding", plural: "rolebindings" });

/** One management cluster with a tenant, and what belongs to another user. */
export interface SharedCluster extends AsyncDisposable {
  readonly admin: Client;
  /** May write objects of the kinds of providers in team-a, and nothing else. */
  readonly tenant: Client;
  /** A ServiceAccount that makes objects in team-a, and may read every Secret. */
  readonly controller: Client;
}

/** The same connection for another user. */
const as = (connection: Connection, user: string): Connection => {
  const headers = { "Impersonate-User": user };
  return {
    ...connection,
    send: (request) => connection.send({ ...request, headers: { ...request.headers, ...headers } }),
  };
};

const everyVerb = ["get", "list", "watch", "create", "update", "patch", "delete"];

const grant = async (
  admin: Client,
  namespace: string,
  user: string,
  rules: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
  }[],
): Promise<void> => {
  const name = user.replaceAll(":", "-");
  const apiVersion = `${rbac.group}/${rbac.version}`;
  await admin.create(Role, { apiVersion, kind: "Role", metadata: { namespace, name }, rules });
  await admin.create(RoleBinding, {
    apiVersion,
    kind: "RoleBinding",
    metadata: { namespace, name },
    roleRef: { apiGroup: rbac.group, kind: "Role", name },
    subjects: [{ apiGroup: rbac.group, kind: "User", name: user }],
  });
};

const reading = { apiGroups: [""], resources: ["secrets"], verbs: ["get"] };

/** Makes team-a with its tenant, and team-b with the Secret `theirs`. */
export const shareCluster = async (access: Access, providers: readonly ProviderV1[]): Promise<SharedCluster> => {
  const connection = connect({ access, clock: systemClock });
  const admin = createClient(connection);
  for (const name of ["team-a", "team-b"]) {
    await admin.create(NamespaceResource, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
  await admin.create(SecretResource, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace: "team-b", name: "theirs" },
    data: { clientSecret: Buffer.from("s3cret").toString("base64") },
  });
  const apiGroups = [...new Set(providers.flatMap(({ kinds }) => kinds.map(({ group }) => group)))];
  const everything = { apiGroups, resources: ["*"], verbs: everyVerb };
  const account = "system:serviceaccount:team-c:gitops";
  await grant(admin, "team-a", "tenant", [everything]);
  await grant(admin, "team-a", account, [everything]);
  await grant(admin, "team-b", account, [reading]);
  return {
    admin,
    tenant: createClient(as(connection, "tenant")),
    controller: createClient(as(connection, account)),
    [Symbol.asyncDispose]: () => connection.close(),
  };
};

const refusal = async (write: Promise<unknown>): Promise<string> => {
  try {
    await write;
  } catch (error) {
    if (isCapstanError(error, "kube.forbidden")) return error.message;
    return `not forbidden: ${String(error)}`;
  }
  return "taken";
};

/** An object that has nothing but one reference. */
const withReference = (kind: Resource, path: string, name: string): KubeObject => {
  const steps = path.replaceAll("[*]", ".*").split(".");
  const spec = steps.reduceRight<unknown>(
    (inner, step, index) => {
      if (step !== "*") return { [step]: inner };
      return isMap(kind, steps.slice(0, index)) ? { sha256: inner } : [inner];
    },
    { name, namespace: "team-b" },
  ) as object;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { namespace: "team-a", name: "mine" }, ...spec };
};

interface Parts {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly items?: unknown;
  readonly additionalProperties?: unknown;
}

const isMap = (kind: Resource, steps: readonly string[]): boolean => {
  if (!isKind(kind)) return false;
  const at = steps.reduce<unknown>((schema, step) => {
    const { properties = {}, items, additionalProperties } = (schema ?? {}) as Parts;
    return step === "*" ? (items ?? additionalProperties) : properties[step];
  }, kind.schema);
  return (at as { readonly type?: string } | undefined)?.type === "object";
};

/** Whoever may not do it themself cannot have it done, by any field of any kind; nor learn what exists in another namespace. */
export const expectEveryReferenceGuarded = async (
  { tenant }: SharedCluster,
  providers: readonly ProviderV1[],
): Promise<void> => {
  const answers: Record<string, string> = {};
  const expected: Record<string, unknown> = {};
  for (const kind of providers.flatMap(({ kinds }) => kinds)) {
    for (const { path } of declaredReferences(kind)) {
      const write = (name: string) => refusal(tenant.create(kind, withReference(kind, path, name), { dryRun: true }));
      const field = `${kind.kind} ${path}`;
      answers[field] = await write("theirs");
      expected[field] = expect.stringMatching(/references namespace "team-b", where User "tenant" may not /);
      expect(await write("nobodys"), `${field}: the same of what does not exist`).toBe(answers[field]);
    }
  }
  expect(Object.keys(answers).length).toBeGreaterThan(4);
  expect(answers).toEqual(expected);
};

const identity = (name: string, namespace = "team-b", annotations: Readonly<Record<string, string>> = {}) => ({
  apiVersion: apiVersionOf(AzureClusterIdentity),
  kind: "AzureClusterIdentity",
  metadata: { namespace: "team-a", name, annotations },
  spec: {
    type: "ServicePrincipal" as const,
    tenantID: "t",
    clientID: "c",
    clientSecret: { name: "theirs", namespace },
  },
});

const markOf = ({ metadata }: KubeObject): string | undefined => metadata.annotations?.[admittedReferencesAnnotation];

/** What admission marks, a manager follows; what another user wrote into the mark, it does not. */
export const expectMarks = async ({ admin, tenant }: SharedCluster): Promise<void> => {
  const policy = markedReferences(readReferenceKey(admin, localKeyPlace), systemClock);
  const follows = (object: KubeObject) => policy.follows(AzureClusterIdentity, object);
  const made = await admin.create(AzureClusterIdentity, identity("administrators"));
  const mark = markOf(made) ?? "";
  expect(await follows(made)).toBe(true);

  const key = { namespace: "team-a", name: "administrators" };
  const spec = { clientSecret: { name: "other", namespace: "team-b" } };
  const patch = (body: MergePatch) => tenant.patch(AzureClusterIdentity, key, { type: "merge", body });
  expect(await refusal(patch({ spec })), "a reference that is changed").toContain("may not get secrets");
  expect(await follows({ ...made, spec }), "a mark for other references").toBe(false);
  const forged = identity("forged", "team-b", { [admittedReferencesAnnotation]: mark });
  expect(await refusal(tenant.create(AzureClusterIdentity, forged)), "a mark that was sent").toContain(
    "may not get secrets",
  );
  expect(await follows(forged), "a mark of another object").toBe(false);

  const removed = await patch({ metadata: { annotations: { [admittedReferencesAnnotation]: null, note: "x" } } });
  expect([markOf(removed), removed.metadata.annotations?.["note"]], "what is unchanged stays admitted").toEqual([
    mark,
    "x",
  ]);
  const own = await tenant.create(
    AzureClusterIdentity,
    identity("own", "team-a", { [admittedReferencesAnnotation]: mark }),
  );
  expect(markOf(own), "no mark where none is needed").toBeUndefined();

  await grant(admin, "team-b", "tenant", [reading]);
  await expect
    .poll(() => refusal(tenant.create(AzureClusterIdentity, identity("allowed"), { dryRun: true })))
    .toBe("taken");
};

const board = (name: string, host: string, annotations: Readonly<Record<string, string>> = {}): BmcMachine => ({
  apiVersion: apiVersionOf(BmcMachine),
  kind: BmcMachine.kind,
  metadata: { namespace: "team-a", name, annotations },
  spec: {
    connection: { host, port: 443, insecureTLS: false, authSecretRef: { name: "theirs", namespace: "team-b" } },
  },
});

/** What another user may name is not to be used in another way: sent elsewhere, or by an object that says it comes of theirs. */
export const expectBoundUses = async ({ admin, tenant }: SharedCluster): Promise<void> => {
  const policy = markedReferences(readReferenceKey(admin, localKeyPlace), systemClock);
  const made = await admin.create(BmcMachine, board("bmc", "192.0.2.1"));
  expect(await policy.follows(BmcMachine, made)).toBe(true);
  const key = { namespace: "team-a", name: "bmc" };
  const patch = (body: MergePatch) => tenant.patch(BmcMachine, key, { type: "merge", body });
  const sent = { spec: { connection: { host: "192.0.2.66", insecureTLS: true } } };
  expect(await refusal(patch(sent)), "another host for the same password").toContain("may not get secrets");
  expect(markOf(await patch({ metadata: { labels: { rack: "one" } } }))).toBe(markOf(made));
  const keyInTeamA = { namespace: "team-a", name: "shared" };
  const written = await admin.create(LinodeObjectStorageKey, {
    apiVersion: apiVersionOf(LinodeObjectStorageKey),
    kind: "LinodeObjectStorageKey",
    metadata: keyInTeamA,
    spec: {
      bucketAccess: [{ bucketName: "bucket", permissions: "read_only", region: "us-ord" }],
      generatedSecret: { name: "shared", namespace: "team-b" },
    },
  });
  const rewrite = (spec: MergePatch) =>
    tenant.patch(LinodeObjectStorageKey, keyInTeamA, { type: "merge", body: { spec } });
  for (const spec of [{ secretDataFormat: { "ca.crt": "mine" } }, { credentialsRef: { name: "mine" } }]) {
    expect(await refusal(rewrite(spec)), "other contents of the same Secret").toContain("may not create or update");
  }
  expect(markOf(await rewrite({ keyGeneration: 1 }))).toBe(markOf(written));
  const clone = board("own", "192.0.2.66", {
    [Annotation.clonedFromName]: "bmc",
    [Annotation.clonedFromGroupKind]: `Machine.${BmcMachine.group}`,
  });
  expect(await refusal(tenant.create(BmcMachine, clone)), "a clone of what is no template").toContain(
    "may not get secrets",
  );
};

const machineSpec = {
  type: "g6-standard-1",
  region: "us-ord",
  credentialsRef: { name: "theirs", namespace: "team-b" },
};

/** A controller that clones a template has no more for it than whoever wrote the template. */
export const expectClones = async ({ admin, controller }: SharedCluster): Promise<void> => {
  const template = (name: string) => ({
    apiVersion: apiVersionOf(LinodeMachineTemplate),
    kind: "LinodeMachineTemplate",
    metadata: { namespace: "team-a", name },
    spec: { template: { spec: machineSpec } },
  });
  const clone = (name: string, from: string) => ({
    apiVersion: apiVersionOf(LinodeMachine),
    kind: "LinodeMachine",
    metadata: {
      namespace: "team-a",
      name,
      annotations: {
        [Annotation.clonedFromName]: from,
        [Annotation.clonedFromGroupKind]: `LinodeMachineTemplate.${LinodeMachine.group}`,
      },
    },
    spec: machineSpec,
  });
  await admin.create(LinodeMachineTemplate, template("seen"));
  expect(
    markOf(await controller.create(LinodeMachine, clone("of-seen", "seen"))),
    "of an admitted template",
  ).toBeDefined();
  expect(markOf(await controller.create(LinodeMachine, clone("of-unseen", "unseen"))), "of none").toBeUndefined();
};
