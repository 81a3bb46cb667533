import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isCapstanError } from "@capstan/contract";
import { ConfigMapResource, NodeResource } from "@capstan/contract/wire";
import { installWorkloadClusters, workloadPermission } from "@capstan/kit/workload";
import type { WorkloadAccount, WorkloadClusters } from "@capstan/kit/workload";
import { type Client, connect, createClient, loadKubeconfig } from "@capstan/kube";
import { parseKubeconfig, renderKubeconfig } from "@capstan/pki";
import { type KubeObject, resource } from "@capstan/schema";
import { ConformanceEnvironment, CorePart } from "@capstan/testing/environment";
import type { RunningManager } from "@capstan/testing/environment";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

/** An API server with roles, for one test. */
export interface WorkloadServer {
  /** Of an administrator. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

const group = "rbac.authorization.k8s.io";
const rbac = { group, version: "v1" } as const;
const ClusterRole = resource({ ...rbac, kind: "ClusterRole", plural: "clusterroles", namespaced: false });
const ClusterRoleBinding = resource({
  ...rbac,
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
  namespaced: false,
});
const Role = resource({ ...rbac, kind: "Role", plural: "roles" });
const RoleBinding = resource({ ...rbac, kind: "RoleBinding", plural: "rolebindings" });
const ServiceAccount = resource({ group: "", version: "v1", kind: "ServiceAccount", plural: "serviceaccounts" });

const namespace = "kube-system";
const acme: WorkloadAccount = {
  name: "infra-acme",
  permissions: [
    workloadPermission(NodeResource, ["get", "create"]),
    workloadPermission(ConfigMapResource, ["get"], { namespace, names: ["acme"] }),
    workloadPermission(ConfigMapResource, ["create"], { namespace }),
  ],
};
const user = "capstan:infra-acme";

let environment: ConformanceEnvironment;
let workload: WorkloadServer;
let admin: Client;
let part: CorePart;
let running: RunningManager;
let clusters: WorkloadClusters;
let told: () => Promise<string>;
const events: string[] = [];

const near = () => part.key("near");
const plainConnections = async (): Promise<string | undefined> =>
  /^capstan_workload_plain_access_total (\d+)$/m.exec(await told())?.[1];

const start = async (): Promise<void> => {
  events.length = 0;
  running = await environment.runManager({
    providers: [],
    namespace: part.namespace,
    prepare: (manager) => {
      clusters = installWorkloadClusters(manager);
      told = () => manager.metrics.text();
      clusters.subscribe(({ type }) => events.push(type));
    },
  });
};

const storeKubeconfig = async (config: string): Promise<void> => {
  await part.createSecret("near-kubeconfig", { value: Buffer.from(config).toString("base64") });
};

/** The workload cluster as the account sees it, once it is connected. */
const asAcme = async (): Promise<Client> => {
  const own = clusters.as(acme);
  await environment.until(() => own.connection(near()) !== undefined);
  return own.get(near()).client;
};

const rolesAndBindings = async (): Promise<readonly KubeObject[]> => {
  const options = { labelSelector: "app.kubernetes.io/managed-by=capstan" };
  const lists = await Promise.all(
    [ClusterRole, ClusterRoleBinding, Role, RoleBinding].map((kind) => admin.list(kind, options)),
  );
  return lists.flatMap(({ items }) => items);
};

const node = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Node", metadata: { name } });
const configMap = (name: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace, name },
});

/** A kubeconfig with the rights of an account of the workload cluster that has these only. */
const kubeconfigWith = async (rules: readonly object[]): Promise<string> => {
  const subject = { kind: "ServiceAccount", namespace, name: "limited" };
  await admin.create(ServiceAccount, {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { namespace, name: "limited" },
  });
  await admin.create(ClusterRole, {
    apiVersion: `${group}/v1`,
    kind: "ClusterRole",
    metadata: { name: "limited" },
    rules,
  });
  await admin.create(ClusterRoleBinding, {
    apiVersion: `${group}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: "limited" },
    roleRef: { apiGroup: group, kind: "ClusterRole", name: "limited" },
    subjects: [subject],
  });
  const { status } = await admin.request<{ readonly status: { readonly token: string } }>({
    method: "POST",
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/limited/token`,
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
  });
  const { certificateAuthority = "", server } = parseKubeconfig(workload.kubeconfig);
  return renderKubeconfig({
    server,
    clusterName: "near",
    userName: "limited",
    certificateAuthority,
    token: status.token,
  });
};

const codeOf = (error: unknown): string => (isCapstanError(error) ? error.code : "");

const nodeRules = { apiGroups: [""], resources: ["nodes"], verbs: ["get", "list", "watch", "create"] };

/** What accounts are and are not permitted, with workload clusters as `startWorkload` starts them. */
export const workloadAccountCases = (
  startWorkload: (environment: ConformanceEnvironment) => Promise<WorkloadServer>,
): void => {
  describe("an account in workload clusters", () => {
    beforeAll(async () => {
      environment = await ConformanceEnvironment.start([]);
    });
    afterAll(() => environment.stop());
    beforeEach(async () => {
      workload = await startWorkload(environment);
      const access = await loadKubeconfig({ text: workload.kubeconfig });
      admin = createClient(connect({ access, clock: environment.clock }));
      part = new CorePart(environment.client, await environment.namespace(), "near");
      await start();
      await part.createCluster();
    });
    afterEach(async () => {
      await running.stop();
      await workload.stop();
    });

    it("may do what its permissions say, and nothing else", async () => {
      await storeKubeconfig(workload.kubeconfig);
      const client = await asAcme();
      await client.create(NodeResource, node("n1"));
      await environment.until(() => clusters.get(near()).nodes.get({ name: "n1" }) !== undefined);
      await client.create(ConfigMapResource, configMap("acme"));
      await client.create(ConfigMapResource, configMap("other"));
      await expect(client.get(ConfigMapResource, { namespace, name: "acme" })).resolves.toBeDefined();
      const refused = { code: "kube.forbidden", message: expect.stringContaining(user) as unknown };
      await expect(client.get(ConfigMapResource, { namespace, name: "other" })).rejects.toMatchObject(refused);
      await expect(client.get(ConfigMapResource, { namespace: "default", name: "acme" })).rejects.toMatchObject(
        refused,
      );
      await expect(client.list(NodeResource)).rejects.toMatchObject(refused);
      await expect(client.delete(NodeResource, { name: "n1" })).rejects.toMatchObject(refused);
      await expect(client.forward({ namespace, name: "etcd-n1" }, 2379)).rejects.toMatchObject(refused);
      // Without an account, requests have the rights of the kubeconfig.
      await expect(clusters.get(near()).client.list(NodeResource)).resolves.toMatchObject({ items: [{}] });
      expect(await plainConnections()).toBe("0");
    });

    it("has roles of exactly its permissions, which the next process leaves as they are", async () => {
      await storeKubeconfig(workload.kubeconfig);
      await asAcme();
      const made = await rolesAndBindings();
      expect(
        made.filter(({ metadata }) => metadata.name === user).map((object) => [object.kind, object["rules"]]),
      ).toEqual([
        ["ClusterRole", [{ apiGroups: [""], resources: ["nodes"], verbs: ["get", "create"] }]],
        ["ClusterRoleBinding", undefined],
        [
          "Role",
          [
            { apiGroups: [""], resources: ["configmaps"], resourceNames: ["acme"], verbs: ["get"] },
            { apiGroups: [""], resources: ["configmaps"], verbs: ["create"] },
          ],
        ],
        ["RoleBinding", undefined],
      ]);
      await running.stop();
      await start();
      await asAcme();
      expect(await rolesAndBindings()).toEqual(made);
    });

    it("gets a role back that somebody changed or took away", async () => {
      await storeKubeconfig(workload.kubeconfig);
      const client = await asAcme();
      const made = (await rolesAndBindings()).map(({ kind, metadata, ...more }) => [
        kind,
        metadata.name,
        more["rules"],
      ]);
      await admin.patch(ClusterRole, { name: user }, { type: "merge", body: { rules: [] } });
      await admin.delete(RoleBinding, { namespace, name: user });
      await expect(client.get(NodeResource, { name: "n1" })).rejects.toMatchObject({ code: "kube.forbidden" });
      await environment.pass(90_000);
      await client.create(NodeResource, node("n1"));
      const now = (await rolesAndBindings()).map(({ kind, metadata, ...more }) => [kind, metadata.name, more["rules"]]);
      expect(now).toEqual(made);
    });

    it("is set up in a cluster that is connected already", async () => {
      await storeKubeconfig(workload.kubeconfig);
      await environment.until(() => clusters.connection(near()) !== undefined);
      const client = await asAcme();
      await expect(client.list(NodeResource)).rejects.toMatchObject({ code: "kube.forbidden" });
      expect(events.filter((type) => type === "connected")).toHaveLength(2);
    });

    it.each([
      ["may not read roles", [nodeRules]],
      ["may not make roles", [nodeRules, { apiGroups: [group], resources: ["*"], verbs: ["list"] }]],
      [
        "may not work as others",
        [nodeRules, { apiGroups: [group], resources: ["*"], verbs: ["list", "create", "bind", "escalate"] }],
      ],
    ])("is the kubeconfig's own user where that %s", async (_what, rules) => {
      await storeKubeconfig(await kubeconfigWith(rules));
      const client = await asAcme();
      await client.create(NodeResource, node("n1"));
      await environment.until(() => clusters.get(near()).nodes.get({ name: "n1" }) !== undefined);
      expect(await plainConnections()).toBe("1");
      await environment.pass(180_000);
      expect(events.filter((type) => type === "disconnected")).toEqual([]);
      expect(await plainConnections()).toBe("1");
    });

    it("gets its roles where a cluster that permitted none permits them later", async () => {
      await storeKubeconfig(await kubeconfigWith([nodeRules]));
      const own = clusters.as(acme);
      await asAcme();
      const all = { apiGroups: ["*"], resources: ["*"], verbs: ["*"] };
      await admin.patch(ClusterRole, { name: "limited" }, { type: "merge", body: { rules: [all] } });
      await environment.pass(600_000);
      await environment.until(async () => (await rolesAndBindings()).length === 6);
      await environment.until(async () => {
        const answer = await own
          .get(near())
          .client.list(NodeResource)
          .then(() => "listed", codeOf);
        return answer === "kube.forbidden";
      });
      await own.get(near()).client.create(NodeResource, node("n1"));
      await environment.until(() => own.get(near()).nodes.get({ name: "n1" }) !== undefined);
      expect(events.filter((type) => type === "disconnected")).toEqual([]);
    });

    it.each([404, 500])(
      "is the kubeconfig's own user where a server answers %i to all that is about roles",
      async (status) => {
        const users = new Set<unknown>();
        const server: Server = createServer((request, response) => {
          const path = request.url?.split("?", 1)[0] ?? "";
          const isNodes = path === "/api/v1/nodes";
          if (isNodes) users.add(request.headers["impersonate-user"]);
          response.statusCode = path === "/" || isNodes ? 200 : status;
          response.setHeader("content-type", "application/json");
          if (isNodes && /[?&]watch=/.test(request.url ?? "")) {
            const metadata = { resourceVersion: "1", annotations: { "k8s.io/initial-events-end": "true" } };
            const object = { apiVersion: "v1", kind: "Node", metadata };
            response.write(`${JSON.stringify({ type: "BOOKMARK", object })}\n`);
            return;
          }
          const list = { apiVersion: "v1", kind: "NodeList", metadata: { resourceVersion: "1" }, items: [] };
          response.end(JSON.stringify(isNodes ? list : {}));
        });
        await new Promise<void>((resolve) => {
          server.listen(0, "127.0.0.1", resolve);
        });
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        await storeKubeconfig(renderKubeconfig({ server: url, clusterName: "near", userName: "u", token: "t" }));
        const client = await asAcme();
        await expect(client.list(NodeResource)).resolves.toMatchObject({ items: [] });
        expect(users).toEqual(new Set([undefined]));
        expect(await plainConnections()).toBe("1");
        server.closeAllConnections();
        server.close();
      },
    );
  });
};
