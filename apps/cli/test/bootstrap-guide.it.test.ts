import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigMapResource, MachineResource, SecretResource } from "@capstan/contract/wire";
import { expect, it } from "vitest";
import { startTestSystem } from "./test-system.ts";

const folder = join(import.meta.dirname, "../templates/bootstrap-acme");
const manifest = readFileSync(join(folder, "example/cluster.yaml"), "utf8");

it("the guide's provider, loaded by its path, makes a cluster of machines that join with one token", async () => {
  const providers = ["core", "infra-linode", join(folder, "src/index.ts")];
  await using system = await startTestSystem(manifest, { providers });
  await system.untilRunning();
  const { client } = system.running;
  const key = (name: string) => ({ namespace: "default", name });
  const document = async (name: string): Promise<string> => {
    const { value = "" } = (await client.get(SecretResource, key(name)))["data"] as Readonly<Record<string, string>>;
    return Buffer.from(value, "base64").toString();
  };
  const machines = (await client.list(MachineResource, { namespace: "default" })).items;
  const workers = machines.map(({ metadata }) => metadata.name ?? "").filter((name) => name.includes("workers"));
  expect(workers).toHaveLength(2);
  for (const name of workers) {
    expect(await document(name)).toContain("kubeadm join --config /run/kubeadm/kubeadm.yaml && echo success");
    expect(await document(name)).toContain("{{ ds.meta_data.label }} is a worker of acme");
  }
  expect(await document("acme-control-plane")).toContain("kubeadm init --config /run/kubeadm/kubeadm.yaml && echo");
  for (const name of ["acme-ca", "acme-etcd", "acme-proxy", "acme-sa", "acme-token"]) {
    const { metadata } = await client.get(SecretResource, key(name));
    expect(metadata.ownerReferences).toMatchObject([{ kind: "Cluster", name: "acme", controller: true }]);
  }
  await system.until(async () => (await client.find(ConfigMapResource, key("acme-lock"))) === undefined);
});
