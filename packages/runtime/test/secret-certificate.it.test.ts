import { readCertificate } from "@capstan/pki";
import { createClient } from "@capstan/kube";
import { afterEach, beforeEach, expect, it } from "vitest";
import { secretCertificate } from "../src/webhook.ts";
import { createWorld, type World } from "./world.ts";

const dayMs = 86_400_000;
const secret = { namespace: "system", name: "webhook" };

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const certificateFor = (...hosts: string[]) =>
  secretCertificate({ client: createClient(world.connection), clock: world.clock, secret, hosts });

it("makes one authority for all replicas, whoever is first", async () => {
  const replicas = [certificateFor("webhook.system.svc"), certificateFor("webhook.system.svc")];
  const served = await Promise.all(replicas.map((replica) => replica()));
  const stored = await certificateFor("webhook.system.svc")();
  expect(served.every(({ caBundle }) => caBundle === stored.caBundle)).toBe(true);
  const leaf = readCertificate(stored.serving.certificate);
  expect(leaf.checkHost("webhook.system.svc")).toBe("webhook.system.svc");
  expect(leaf.checkIssued(readCertificate(stored.caBundle))).toBe(true);
});

it("renews the certificate under the same authority, before it runs out or when it has to serve other names", async () => {
  const certificate = certificateFor("a.example");
  const first = await certificate();
  await world.clock.advance(59 * dayMs);
  expect((await certificate()).serving.certificate).toBe(first.serving.certificate);
  await world.clock.advance(2 * dayMs);
  const second = await certificate();
  expect(second.serving.certificate).not.toBe(first.serving.certificate);
  expect(second.caBundle).toBe(first.caBundle);
  const third = await certificateFor("a.example", "127.0.0.1")();
  expect(readCertificate(third.serving.certificate).checkIP("127.0.0.1")).toBe("127.0.0.1");
  expect(third.caBundle).toBe(first.caBundle);
});

it("makes everything anew when the Secret holds nothing usable", async () => {
  world.server.put("secrets", {
    apiVersion: "v1",
    kind: "Secret",
    metadata: secret,
    ...({ data: { "ca.crt": "bm8=", "ca.key": "bm8=", "tls.crt": "bm8=", "tls.key": "bm8=" } } as object),
  });
  const { caBundle } = await certificateFor("a.example")();
  expect(readCertificate(caBundle).ca).toBe(true);
});
