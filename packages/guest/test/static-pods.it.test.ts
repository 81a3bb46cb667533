import { stringify } from "yaml";
import { createCertificateAuthority } from "@capstan/pki";
import type { Client } from "@capstan/kube";
import { resource, type KubeObject, type Resource } from "@capstan/schema";
import { freePort, recentClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGuestHost } from "../src/index.ts";
import { address, administrator, authorityFiles, initData } from "./machines.ts";

interface Looked extends KubeObject {
  readonly spec: object;
  readonly status?: { readonly phase?: string };
}

const Pod: Resource<Looked> = resource<Looked>({ group: "", version: "v1", kind: "Pod", plural: "pods" });

const folder = "/etc/kubernetes/manifests";
const clock = recentClock();
const host = createGuestHost({ clock, random: seededRandom(5), lenient: false });
const image = "cluster-api-ubuntu-2204-v1.34.2";
let client: Client;
let close: () => Promise<void>;

const manifest = (name: string, spec: object = {}): string =>
  stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "kube-system", labels: { app: name } },
    spec: { hostNetwork: true, containers: [{ name: "app", image: "app:1" }], ...spec },
  });

const look = (name: string): Promise<Looked | undefined> => client.find(Pod, { namespace: "kube-system", name });

const until = (condition: () => Promise<boolean>): Promise<void> => clock.advanceUntil(condition, { stepMs: 250 });

const said = (text: string): boolean => host.console("control").includes(text);

beforeAll(async () => {
  const authority = await createCertificateAuthority({ now: clock.now() });
  const port = await freePort();
  const files = [...authorityFiles(authority), { path: `${folder}/vip.yaml`, content: manifest("vip") }];
  let over = false;
  void host
    .boot({
      id: "control",
      name: "control",
      metadata: { "local-hostname": "control" },
      userData: initData(files, { port, version: "v1.34.2" }),
      address,
      providerID: "example://control",
      image,
      hardware: { cpus: 2, memoryMiB: 4096 },
    })
    .then(() => (over = true));
  await clock.advanceUntil(() => over, { stepMs: 100 });
  ({ client, close } = await administrator(authority, `${address}:${port}`, clock));
}, 30_000);

afterAll(async () => {
  await close();
  await host.stop();
});

describe("a manifest in the folder of a kubelet", () => {
  it("that user data wrote is shown as a Pod of the Node, which runs", async () => {
    await until(async () => (await look("vip-control"))?.status?.phase === "Running");
    const pod = await look("vip-control");
    const { annotations = {} } = pod?.metadata ?? {};
    expect(annotations["kubernetes.io/config.source"]).toBe("file");
    expect(annotations["kubernetes.io/config.mirror"]).toMatch(/^[0-9a-f]{32}$/);
    expect(annotations["kubernetes.io/config.hash"]).toBe(annotations["kubernetes.io/config.mirror"]);
    expect(pod).toMatchObject({
      metadata: { labels: { app: "vip" }, ownerReferences: [{ kind: "Node", name: "control", controller: true }] },
      spec: { nodeName: "control", hostNetwork: true },
    });
  });

  it("makes another Pod when it changes, and none when it is gone", async () => {
    const before = (await look("vip-control"))?.metadata.uid;
    host.disk("control")?.write(`${folder}/vip.yaml`, manifest("vip", { priority: 0 }));
    await until(async () => {
      const uid = (await look("vip-control"))?.metadata.uid;
      return uid !== undefined && uid !== before;
    });
    host.disk("control")?.remove(`${folder}/vip.yaml`);
    await until(async () => (await look("vip-control")) === undefined);
  });

  it.each([
    ["is no YAML", "apiVersion: v1\nkind: Pod\nmetadata;\n  name: x\n", "couldn't parse as pod(yaml: "],
    ["has no kind", "apiVersion: v1\n", "couldn't parse as pod(Object 'Kind' is missing in '{"],
    ["has no name", stringify({ apiVersion: "v1", kind: "Pod", spec: {} }), "invalid pod: name is needed for the pod"],
    [
      "refers to a Secret",
      manifest("secretive", { volumes: [{ name: "s", secret: { secretName: "s" } }] }),
      "static pods may not reference secrets",
    ],
    [
      "names a ServiceAccount",
      manifest("served", { serviceAccountName: "a" }),
      "static pods may not reference serviceaccounts",
    ],
  ])("that %s is named in the log of the kubelet, and runs nothing", async (name, text, message) => {
    const file = `${folder}/${name.replaceAll(" ", "-")}.yaml`;
    host.disk("control")?.write(file, text);
    await until(() => Promise.resolve(said(`path="${file}"`)));
    const line =
      host
        .console("control")
        .split("\n")
        .find((each) => each.includes(`path="${file}"`)) ?? "";
    expect(line).toContain('"Could not process manifest file" err="');
    expect(line).toContain(message);
    expect((await client.list(Pod)).items.map(({ metadata }) => metadata.name)).not.toContain("secretive-control");
  });

  it("in a namespace that is not there runs without being shown, and the kubelet says why", async () => {
    const text = manifest("lost").replace("kube-system", "nowhere");
    host.disk("control")?.write(`${folder}/lost.yaml`, text);
    await until(() => Promise.resolve(said('pod="nowhere/lost-control"')));
    expect(host.console("control")).toContain('"Failed creating a mirror pod for" err="');
  });
});
