import { createApiServer } from "@capstan/apiserver";
import { ConfigMapResource, NodeResource } from "@capstan/contract/wire";
import { type WorkloadAccount, workloadPermission } from "@capstan/kit/workload";
import { type Client, type Connection, connect, createClient, loadKubeconfig } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { recentClock, seededRandom } from "@capstan/testing";
import { CallGate, gatedClient } from "@capstan/testing/environment";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AccountConnection } from "../../src/workload/account-connection.ts";
import { roleKinds, rolesOf, userOf } from "../../src/workload/account-roles.ts";
import { setUpAccounts } from "../../src/workload/account-setup.ts";

const namespace = "kube-system";
const acme: WorkloadAccount = {
  name: "acme",
  permissions: [
    workloadPermission(NodeResource, ["get"]),
    workloadPermission(ConfigMapResource, ["get"], { namespace, names: ["acme"] }),
  ],
};
const nodes: WorkloadAccount = { name: "nodes", permissions: [workloadPermission(NodeResource, ["list"])] };
const accounts = [acme, nodes];

const clock = recentClock();
const server = createApiServer({ clock, random: seededRandom(3) });
let connection: Connection;
let admin: Client;

const setUp = (client = admin): Promise<void> =>
  setUpAccounts({
    accounts,
    client,
    clientAs: (account) => createClient(new AccountConnection(connection, userOf(account), () => undefined)),
    call: {},
  });

const keyOf = ({ metadata }: KubeObject) => ({
  name: metadata.name ?? "",
  ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
});

/** What there is of these accounts and of others, with and without our label. */
const present = async (): Promise<readonly KubeObject[]> => {
  const lists = await Promise.all(roleKinds.map(async (kind) => (await admin.list(kind)).items));
  return lists.flat().filter(({ metadata }) => metadata.name?.startsWith("capstan:"));
};

const meaning = (objects: readonly KubeObject[]): readonly object[] =>
  objects
    .map(({ kind, metadata, ...rest }) => ({
      kind,
      ...keyOf({ metadata } as KubeObject),
      labels: metadata.labels,
      rules: rest["rules"],
      roleRef: rest["roleRef"],
      subjects: rest["subjects"],
    }))
    .toSorted((a, b) => `${a.kind}/${a.name}`.localeCompare(`${b.kind}/${b.name}`));

/** The roles of an account of that name, as something else than the account that is set up has left them. */
const leftBehind = async (account: WorkloadAccount, change: (object: KubeObject) => KubeObject): Promise<void> => {
  for (const { kind, object } of rolesOf(account)) await admin.create(kind, change(object));
};

/** Everything that can be wrong: too many rights, rights elsewhere, the name taken without the label, a binding to another role. */
const leaveAMess = async (): Promise<void> => {
  await leftBehind({ name: "acme", permissions: [workloadPermission(NodeResource, ["get", "delete"])] }, (object) =>
    object["roleRef"] === undefined
      ? object
      : { ...object, roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" } },
  );
  const elsewhere = [workloadPermission(ConfigMapResource, ["delete"], { namespace: "default" })];
  await leftBehind({ name: "acme", permissions: elsewhere }, (object) => object);
  await leftBehind(nodes, ({ metadata: { labels: _labels, ...metadata }, ...object }) => ({ ...object, metadata }));
};

const stranger: WorkloadAccount = {
  name: "stranger",
  permissions: [workloadPermission(ConfigMapResource, ["get"], { namespace: "default" })],
};

beforeAll(async () => {
  await server.start();
  connection = connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock });
  admin = createClient(connection);
});
afterAll(() => server.stop());
beforeEach(async () => {
  for (const kind of roleKinds) {
    for (const object of await present()) if (object.kind === kind.kind) await admin.delete(kind, keyOf(object));
  }
});

const wanted = () => meaning(accounts.flatMap(rolesOf).map(({ object }) => object));

describe("setting accounts up", () => {
  it("puts right what stands under their names, and leaves the accounts of others alone", async () => {
    await leftBehind(stranger, (object) => object);
    const others = await present();
    await leaveAMess();
    await setUp();
    const names = new Set(others.map(({ metadata }) => metadata.uid));
    const now = await present();
    expect(now.filter(({ metadata }) => names.has(metadata.uid))).toEqual(others);
    expect(meaning(now.filter(({ metadata }) => !names.has(metadata.uid)))).toEqual(wanted());
  });

  it("comes to the same after a crash at any point, and writes nothing then", async () => {
    for (let crashAt = 1; ; crashAt += 1) {
      for (const { kind, object } of accounts.flatMap(rolesOf)) {
        await admin.delete(kind, keyOf(object)).catch(() => undefined);
      }
      await leaveAMess();
      const gate = new CallGate({ crashAt });
      await setUp(gatedClient(admin, gate)).catch((error: unknown) => {
        if (gate.crashedAt === undefined) throw error;
      });
      await setUp();
      const made = await present();
      expect(meaning(made), gate.crashedAt).toEqual(wanted());
      await setUp();
      expect(await present(), gate.crashedAt).toEqual(made);
      if (gate.crashedAt === undefined) {
        expect(crashAt).toBeGreaterThan(16);
        return;
      }
    }
  });

  it("comes to the same where several processes do it at once", async () => {
    await leaveAMess();
    await Promise.allSettled([setUp(), setUp(), setUp()]);
    await setUp();
    expect(meaning(await present())).toEqual(wanted());
  });
});
