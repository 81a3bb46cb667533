import { gzipSync } from "node:zlib";
import { ConfigMapResource } from "@capstan/contract/wire";
import { contentReader, resolveFiles, resolveUsers } from "@capstan/kit/bootstrap";
import type { Client } from "@capstan/kube";
import { CallGate, ConformanceEnvironment, gatedClient } from "@capstan/testing/environment";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { managementCluster, type ManagementCluster } from "./management-cluster.ts";

let environment: ConformanceEnvironment;
let place: ManagementCluster;
let reads: number;
let read: ReturnType<typeof contentReader>;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([]);
});
afterAll(() => environment.stop());
beforeEach(async () => {
  place = await managementCluster(environment);
  reads = 0;
  const client: Client = {
    ...gatedClient(place.client, new CallGate()),
    find: (...args) => {
      reads += 1;
      return place.client.find(...args);
    },
  };
  read = contentReader({ client, namespace: place.core.namespace, call: place.call });
});

const base64 = (value: string | Uint8Array): string => Buffer.from(value).toString("base64");
const secret = (name: string, key: string) => ({ secret: { name, key } });
const configMap = (name: string, key: string) => ({ configMap: { name, key } });

it("contents come from Secrets and ConfigMaps, each read once", async () => {
  const bytes = Uint8Array.of(0, 255, 128);
  await place.core.createSecret("contents", { text: base64("grüß\n"), password: base64("$6$x") });
  const metadata = place.core.key("contents");
  await place.client.create(ConfigMapResource, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata,
    data: { text: "plain" },
    binaryData: { bytes: base64(bytes) },
  });
  const files = [
    { path: "/own", content: "own" },
    { path: "/secret", permissions: "0600", contentFrom: secret("contents", "text") },
    { path: "/map", contentFrom: configMap("contents", "text") },
  ];
  expect(await resolveFiles(files, read)).toEqual([
    { path: "/own", content: "own" },
    { path: "/secret", permissions: "0600", content: "grüß\n" },
    { path: "/map", content: "plain" },
  ]);
  expect(await resolveFiles(undefined, read)).toEqual([]);
  const users = [{ name: "ops", sudo: "ALL", passwdFrom: secret("contents", "password") }, { name: "bare" }];
  expect(await resolveUsers(users, read)).toEqual([{ name: "ops", sudo: "ALL", passwd: "$6$x" }, { name: "bare" }]);
  expect(new Uint8Array(await read(configMap("contents", "bytes"), "spec.x"))).toEqual(bytes);
  expect(reads).toBe(2);
});

it("contents that are no text arrive byte for byte, and those in an encoding as it says", async () => {
  const packed = Buffer.from(gzipSync(Buffer.from("packed")));
  await place.core.createSecret("contents", {
    bytes: base64(Uint8Array.of(0, 255)),
    nul: base64("a\0b"),
    packed: packed.toString("base64"),
    encoded: base64("aGk=\n"),
    password: base64("$6$x\n"),
  });
  const from = (key: string, encoding?: string) => ({
    path: `/${key}`,
    ...(encoding !== undefined && { encoding }),
    contentFrom: secret("contents", key),
  });
  const files = [from("bytes"), from("nul"), from("packed", "gzip"), from("packed", "gz"), from("encoded", "base64")];
  const gzip = { path: "/packed", encoding: "gzip+base64", content: packed.toString("base64") };
  expect(await resolveFiles(files, read)).toEqual([
    { path: "/bytes", encoding: "base64", content: base64(Uint8Array.of(0, 255)) },
    { path: "/nul", encoding: "base64", content: base64("a\0b") },
    gzip,
    gzip,
    { path: "/encoded", encoding: "base64", content: "aGk=\n" },
  ]);
  await expect(resolveFiles([from("bytes", "gzip+base64")], read)).rejects.toMatchObject({
    code: "bootstrap.content_invalid",
    message:
      "spec.files[0].contentFrom: the content is not base64, but the encoding of /bytes is gzip+base64; correct one of them",
  });
  const users = [{ name: "ops", passwdFrom: secret("contents", "password") }];
  expect(await resolveUsers(users, read)).toEqual([{ name: "ops", passwd: "$6$x" }]);
});

it("a reference may name another namespace", async () => {
  const elsewhere = await managementCluster(environment);
  await elsewhere.core.createSecret("shared", { key: base64("from elsewhere") });
  const { namespace } = elsewhere.core;
  expect(String(await read({ secret: { name: "shared", key: "key", namespace } }, "spec.x"))).toBe("from elsewhere");
});

it("what is missing is named with the field that wants it", async () => {
  const { namespace } = place.core;
  await place.core.createSecret("contents", { b: "", a: "" });
  await place.core.createSecret("hollow", {});
  const cases = [
    [secret("gone", "a"), `spec.x.secret: Secret ${namespace}/gone does not exist; create it or correct the reference`],
    [
      configMap("gone", "a"),
      `spec.x.configMap: ConfigMap ${namespace}/gone does not exist; create it or correct the reference`,
    ],
    [secret("contents", "c"), `spec.x.secret: Secret ${namespace}/contents has no key "c"; its keys are a, b`],
    [secret("hollow", "c"), `spec.x.secret: Secret ${namespace}/hollow has no key "c"; its keys are none`],
  ] as const;
  for (const [source, message] of cases) {
    await expect(read(source, "spec.x")).rejects.toThrow(
      expect.objectContaining({ code: "bootstrap.content_missing", reason: "ContentMissing", message }),
    );
  }
  const file = { path: "/x", contentFrom: secret("gone", "a") };
  await expect(resolveFiles([{ path: "/y" }, file], read)).rejects.toThrow(/^spec.files\[1\].contentFrom.secret: /);
  const user = { name: "ops", passwdFrom: secret("gone", "a") };
  await expect(resolveUsers([user], read)).rejects.toThrow(/^spec.users\[0\].passwdFrom.secret: /);
});
