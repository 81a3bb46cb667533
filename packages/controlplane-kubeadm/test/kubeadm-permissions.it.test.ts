import { createApiServer, type ApiServer } from "@capstan/apiserver";
import { connect, createClient, loadKubeconfig, type Client, type Connection } from "@capstan/kube";
import { resource } from "@capstan/schema";
import { recentClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensureKubeadmPermissions } from "../src/workload/kubeadm-permissions.ts";

const group = "rbac.authorization.k8s.io";
const ClusterRoleBinding = resource({
  group,
  version: "v1",
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
  namespaced: false,
});
const call = { signal: new AbortController().signal };

let server: ApiServer;
let connection: Connection;
let client: Client;
beforeAll(async () => {
  const clock = recentClock();
  server = createApiServer({ clock, random: seededRandom(1), extensions: [] });
  await server.start();
  connection = connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock });
  client = createClient(connection);
});
afterAll(async () => {
  await connection.close();
  await server.stop();
});

it("binds what machines of a newer kubeadm rely on, and leaves alone what is bound", async () => {
  const ofUser = {
    apiVersion: `${group}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: "kubeadm:cluster-admins" },
    roleRef: { apiGroup: group, kind: "ClusterRole", name: "view" },
    subjects: [],
  };
  const { metadata: before } = await client.create(ClusterRoleBinding, ofUser);
  // As two processes would that do so at once.
  await Promise.all([ensureKubeadmPermissions(client, call), ensureKubeadmPermissions(client, call)]);
  const { metadata: after } = await client.get(ClusterRoleBinding, { name: "kubeadm:cluster-admins" });
  expect(after.resourceVersion).toBe(before.resourceVersion);
  expect(await client.get(ClusterRoleBinding, { name: "kubeadm:apiserver-kubelet-client" })).toMatchObject({
    roleRef: { apiGroup: group, kind: "ClusterRole", name: "system:kubelet-api-admin" },
    subjects: [{ apiGroup: group, kind: "User", name: "kube-apiserver-kubelet-client" }],
  });
});
