import { KubeadmConfig } from "@capstan/bootstrap-kubeadm/api";
import { createApiServer, customResources, type ApiServer } from "@capstan/apiserver";
import { Annotation, rfc3339 } from "@capstan/contract";
import { conditionOf, CustomResourceDefinitionResource } from "@capstan/contract/wire";
import type { Member } from "@capstan/kit/control-plane";
import { connect, createClient, loadKubeconfig, type Client, type Connection } from "@capstan/kube";
import { crdOf, resource } from "@capstan/schema";
import { recentClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordCertificateExpiry } from "../src/workload/certificate-expiry.ts";
import { startServingPort, type ServingPort } from "./serving-port.ts";

const Pod = resource({ group: "", version: "v1", kind: "Pod", plural: "pods" });
const dayMs = 86_400_000;
const clock = recentClock();
const now = clock.now();
const asked: string[] = [];
const ports = new Map<string, ServingPort>();
let server: ApiServer;
let connection: Connection;
/** The client of the management API and of the workload cluster, which are one here. */
let client: Client;

beforeAll(async () => {
  ports.set("6443", await startServingPort(now, { validityDays: 90 }));
  ports.set("7443", await startServingPort(now - 30 * dayMs, { validityDays: 10 }));
  ports.set("8443", await startServingPort(now, { commonName: "a-proxy" }));
  server = createApiServer({
    clock,
    random: seededRandom(1),
    extensions: [customResources()],
    connectPod: async (pod, port) => {
      asked.push(`${pod.metadata.name}:${port}`);
      const found = ports.get(String(port));
      if (found === undefined) throw new Error("connection refused");
      return found.connect();
    },
  });
  await server.start();
  connection = connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock });
  client = createClient(connection);
  await client.create(CustomResourceDefinitionResource, crdOf(KubeadmConfig));
  await clock.advanceUntil(async () =>
    (await client.list(CustomResourceDefinitionResource)).items.every(
      (definition) => conditionOf(definition, "Established")?.status === "True",
    ),
  );
});
afterAll(async () => {
  await connection.close();
  await server.stop();
  for (const port of ports.values()) await port.stop();
});

type Spec = NonNullable<KubeadmConfig["spec"]>;

const memberOf = async (
  name: string,
  spec: Spec = { format: "cloud-config" },
  given: {
    readonly node?: boolean;
    readonly serves?: boolean;
    readonly leaving?: boolean;
    readonly annotations?: Record<string, string>;
  } = {},
): Promise<Member> => {
  const metadata = { namespace: "default", name, annotations: given.annotations ?? {} };
  const config = await client.create(KubeadmConfig, {
    apiVersion: "bootstrap.cluster.x-k8s.io/v1beta2",
    kind: "KubeadmConfig",
    metadata,
    spec,
  });
  const pod = { namespace: "kube-system", name: `kube-apiserver-${name}` };
  const containers = [{ name: "kube-apiserver", image: "kube-apiserver" }];
  await client.create(Pod, { apiVersion: "v1", kind: "Pod", metadata: pod, spec: { nodeName: name, containers } });
  const machine = {
    metadata: { name, ...(given.leaving === true ? { deletionTimestamp: rfc3339(now) } : {}) },
    status: {
      conditions: [{ type: "APIServerPodHealthy", status: given.serves === false ? "Unknown" : "True" }],
      ...(given.node === false ? {} : { nodeRef: { name } }),
    },
  };
  return { machine, config } as unknown as Member;
};

const record = async (members: readonly Member[], serves?: (member: Member) => boolean): Promise<void> =>
  recordCertificateExpiry(
    {
      members,
      client,
      workload: () => Promise.resolve(client),
      call: { signal: new AbortController().signal },
    } as unknown as Parameters<typeof recordCertificateExpiry>[0],
    serves,
  );

const written = async (name: string): Promise<string | undefined> =>
  (await client.get(KubeadmConfig, { namespace: "default", name })).metadata.annotations?.[
    Annotation.certificatesExpiry
  ];

const endpoint = (bindPort: number) => ({ localAPIEndpoint: { bindPort } });
const seconds = (time: number): string => rfc3339(Math.floor(time / 1000) * 1000);

it("writes when the certificate of each API server expires, on whatever port, expired or not", async () => {
  const members = [
    await memberOf("usual"),
    await memberOf("first", { initConfiguration: endpoint(7443) }),
    await memberOf("joined", { joinConfiguration: { controlPlane: endpoint(7443) } }),
  ];
  await record(members);
  expect(await written("usual")).toBe(seconds(now + 90 * dayMs));
  expect(await written("first")).toBe(seconds(now - 20 * dayMs));
  expect(await written("joined")).toBe(seconds(now - 20 * dayMs));
});

it("asks no server of Machines that go, have no Node, do not serve yet, or say it already", async () => {
  const annotations = { [Annotation.certificatesExpiry]: "2030-01-01T00:00:00Z" };
  asked.length = 0;
  await record([
    await memberOf("going", undefined, { leaving: true }),
    await memberOf("booting", undefined, { node: false }),
    await memberOf("joining", undefined, { serves: false }),
    await memberOf("known", undefined, { annotations }),
    { ...(await memberOf("unseen")), config: undefined },
  ]);
  expect(asked).toEqual([]);
  expect(await written("known")).toBe("2030-01-01T00:00:00Z");
});

it("asks the servers that are seen to work, before their Machines say so", async () => {
  const fresh = await memberOf("fresh", undefined, { serves: false });
  await record([fresh, await memberOf("older")], (member) => member === fresh);
  expect(await written("fresh")).toBe(seconds(now + 90 * dayMs));
  expect(await written("older")).toBeUndefined();
});

it("names the Machine that cannot be asked, and continues with the others", async () => {
  const members = [
    await memberOf("silent", { initConfiguration: endpoint(9443) }),
    await memberOf("proxied", { initConfiguration: endpoint(8443) }),
    await memberOf("healthy"),
  ];
  await expect(record(members)).rejects.toMatchObject({
    code: "kubeadm.certificate_unreadable",
    message: expect.stringMatching(/Machine silent .*: .*connection refused/) as unknown,
  });
  expect(await written("healthy")).toBe(seconds(now + 90 * dayMs));
  await expect(record(members.slice(1, 2))).rejects.toThrow(
    /Machine proxied .*: its certificate is not for CN=kube-apiserver/,
  );
});
