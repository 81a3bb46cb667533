import { createHash } from "node:crypto";
import type { BootstrapData, DeliveryPlace } from "@capstan/contract/v1";
import { beforeEach, describe, expect, it } from "vitest";
import type { DeliveryInput } from "../../src/delivery/bootstrap-delivery.ts";
import { bootstrapDelivery } from "../../src/delivery/bootstrap-delivery.ts";
import { secretReference } from "../../src/delivery/secret-reference.ts";
import { userDataRoutes } from "../../src/delivery/user-data-routes.ts";
import { access, body, calls, forgetAll, input, large, memoryStore, never, objects, small } from "./store-bench.ts";

beforeEach(forgetAll);

describe("deliver", () => {
  it("hands small data over as it is and calls no store", async () => {
    const delivery = bootstrapDelivery(input({ store: access({ a: memoryStore("a") }) }));
    await expect(delivery.deliver(large)).resolves.toMatchObject({
      route: "direct",
      sizeBytes: body.length,
      format: "cloud-config",
    });
    expect(calls).toEqual([]);
    expect(delivery.record()).toEqual({ route: "direct", sizeBytes: body.length, deliveredBytes: body.length });
  });

  it("puts the original bytes under the uid and hands over the pointer", async () => {
    const delivery = bootstrapDelivery(input({ store: access({ a: memoryStore("a"), b: memoryStore("b") }) }));
    const delivered = await delivery.deliver(small);
    expect(Buffer.from(delivered.bytes).toString()).toBe("#include\nhttps://a.example/uid-1?sig=900\n");
    expect(delivered.base64).toBe(Buffer.from(delivered.bytes).toString("base64"));
    expect(objects.get("a/uid-1")).toEqual(body);
    expect(calls).toEqual(["announce object-store uid-1", "a put", "a signGet"]);
    expect(delivery.record()).toEqual({
      route: "object-store",
      sizeBytes: body.length,
      deliveredBytes: delivered.bytes.length,
      store: "team/first",
      stores: ["team/first", "vault/second"],
      storeType: "s3",
      key: "uid-1",
      checksum: `sha256:${createHash("sha256").update(body).digest("hex")}`,
      expires: "2030-01-01T00:15:00Z",
    });
  });

  it("only signs again when the creation is tried again with the same data", async () => {
    const shared = input({ store: access({ a: memoryStore("a") }) });
    await bootstrapDelivery(shared).deliver(small);
    await bootstrapDelivery(shared).deliver(small);
    await bootstrapDelivery({
      ...shared,
      readBootstrap: async () => ({ value: Buffer.from("y".repeat(200)) }),
    }).deliver(small);
    expect(calls.filter((call) => call.startsWith("a "))).toEqual([
      "a put",
      "a signGet",
      "a signGet",
      "a put",
      "a signGet",
    ]);
  });

  it("delivers nothing when the user skips bootstrapping", async () => {
    const delivered = await bootstrapDelivery(input({ secretName: "", readBootstrap: never })).deliver(small);
    expect(delivered).toMatchObject({ route: "direct", sizeBytes: 0, base64: "" });
  });

  const broken: readonly (readonly [string, Partial<DeliveryInput>, string])[] = [
    ["no Secret", { readBootstrap: async () => undefined }, "bootstrap.secret_missing"],
    ["no value", { readBootstrap: async () => ({}) }, "bootstrap.value_missing"],
    ["an empty value", { readBootstrap: async () => ({ value: new Uint8Array() }) }, "bootstrap.empty"],
    [
      "another format",
      { readBootstrap: async () => ({ value: body, format: Buffer.from("ignition") }) },
      "bootstrap.format_unsupported",
    ],
    ["no store", {}, "bootstrap.too_large"],
  ];
  it.each(broken)("%s is an error of its own: %o", async (_case, more, code) => {
    await expect(bootstrapDelivery(input(more)).deliver(small)).rejects.toMatchObject({ code });
  });

  it("hands the Secret to what reads it itself, and keeps in mind how large it is", async () => {
    const delivery = bootstrapDelivery(input());
    await expect(delivery.deliver([secretReference()])).resolves.toEqual({
      route: "secret-reference",
      secret: { namespace: "team", name: "boot", key: "value" },
      sizeBytes: body.length,
      format: "cloud-config",
    });
    const { length } = body;
    expect(delivery.record()).toEqual({ route: "secret-reference", sizeBytes: length, deliveredBytes: length });
  });

  it("lets an author's own route use the store", async () => {
    const delivery = bootstrapDelivery(input({ store: access({ a: memoryStore("a") }) }));
    const byAddress = {
      name: "address",
      deliver: async ({ bytes }: BootstrapData, { store }: DeliveryPlace) => ({ at: await store?.upload(bytes) }),
    } as const;
    const delivered = await delivery.deliver([byAddress]);
    expect(delivered.at?.url).toBe("https://a.example/uid-1?sig=900");
    expect(calls).toEqual(["announce address uid-1", "a put", "a signGet"]);
    expect(delivery.record()).toMatchObject({ route: "address", store: "team/first", key: "uid-1" });
  });

  it("refuses a pointer that does not fit", async () => {
    const delivery = bootstrapDelivery(input({ store: access({ a: memoryStore("a") }) }));
    await expect(delivery.deliver(userDataRoutes({ limitBytes: 20 }))).rejects.toMatchObject({
      code: "bootstrap.pointer_too_large",
    });
  });
});
