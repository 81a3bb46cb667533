import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret } from "@capstan/contract";
import { connect } from "@capstan/kube";
import { systemClock } from "@capstan/runtime";
import { afterAll, expect, it } from "vitest";
import { startServer } from "./embedded-server.ts";
import { thingDefinition } from "./extensions/definitions.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-server-manifests-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const metadata = { name: "one", namespace: "prod" };
const manifests = [
  { apiVersion: "test.capstan/v1", kind: "Thing", metadata, spec: {} },
  { apiVersion: "v1", kind: "ConfigMap", metadata },
  thingDefinition(),
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "prod" } },
];

it("creates the manifests it is given in any order, custom resources too, and again at no restart", async () => {
  const uids = new Set<string>();
  for (const _ of ["first", "second"]) {
    const server = await startServer({ manifests, storage: { file: join(folder, "api.db") } });
    const { url, caCertificate: ca } = server;
    const connection = connect({ url, ca, token: new Secret("token-admin"), clock: systemClock });
    for (const path of ["/apis/test.capstan/v1/namespaces/prod/things/one", "/api/v1/namespaces/prod/configmaps/one"]) {
      const { status, body } = await connection.send({ method: "GET", path });
      expect({ path, status }).toEqual({ path, status: 200 });
      uids.add((JSON.parse(body) as { metadata: { uid: string } }).metadata.uid);
    }
    await connection.close();
    await server.stop();
  }
  expect(uids.size).toBe(2);
});

it("does not start with a manifest of an unknown kind", async () => {
  const stray = { apiVersion: "no.test/v1", kind: "Stray", metadata: { name: "one" } };
  await expect(startServer({ manifests: [stray] })).rejects.toThrow(/stray.*not found/);
});
