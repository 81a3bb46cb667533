import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Secret } from "@capstan/contract";
import { connect, createClient } from "@capstan/kube";
import { parseKubeconfig } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import { type KubeObject, resource } from "@capstan/schema";
import { type KubeApiserver, startKubeApiserver } from "@capstan/testing/kube-apiserver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";
const root = join(import.meta.dirname, "..", "..", "..");
const files = globSync("packages/*/crds/*.yaml", { cwd: root }).toSorted();

const Definition = resource({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
});

describe.skipIf(assets === "")("a real kube-apiserver", () => {
  let server: KubeApiserver;
  let connection: ReturnType<typeof connect>;

  beforeAll(async () => {
    server = await startKubeApiserver({ assets, controllers: false });
    const config = parseKubeconfig(server.kubeconfig);
    connection = connect({
      clock: systemClock,
      url: config.server,
      ca: config.certificateAuthority ?? "",
      clientCertificate: config.clientCertificate ?? "",
      clientKey: new Secret(config.clientKey ?? ""),
    });
  });

  afterAll(async () => {
    await connection.close();
    await server.stop();
  });

  it.each(files)("takes %s", async (file) => {
    const client = createClient(connection);
    const { metadata } = await client.create<KubeObject>(Definition, parse(readFileSync(join(root, file), "utf8")));
    const isEstablished = async (): Promise<boolean> => {
      const { status } = await client.get<KubeObject>(Definition, { name: metadata.name ?? "" });
      const { conditions = [] } = (status ?? {}) as { readonly conditions?: readonly Record<string, string>[] };
      const wrong = conditions.filter(({ type, status: value }) => type === "NonStructuralSchema" && value === "True");
      expect(wrong).toEqual([]);
      return conditions.some(({ type, status: value }) => type === "Established" && value === "True");
    };
    await expect.poll(isEstablished, { timeout: 60_000 }).toBe(true);
  });
});
