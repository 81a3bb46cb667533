import { CapstanError, silentLogger } from "@capstan/contract";
import type { Clock } from "@capstan/contract";
import type { BootstrapData, DeliveryPlace, ObjectStore, ObjectStoreOpener } from "@capstan/contract/v1";
import { beforeEach, describe, expect, it } from "vitest";
import type { DeliveryInput } from "./bootstrap-delivery.ts";
import { bootstrapDelivery } from "./bootstrap-delivery.ts";
import { deleteBootstrapObject } from "./delete-bootstrap.ts";
import type { SecretData, StoreAccess } from "./store-access.ts";
import { attemptTimeoutMs } from "./store-attempts.ts";
import { secretReference } from "./secret-reference.ts";
import { userDataRoutes } from "./user-data-routes.ts";

/** A clock whose timers run only when the test says so. */
interface HandClock extends Clock {
  fire(): void;
  readonly delays: number[];
}

const handClock = (): HandClock => {
  const timers = new Set<() => void>();
  const delays: number[] = [];
  return {
    now: () => Date.UTC(2030, 0, 1),
    sleep: () => Promise.reject(new Error("nothing here sleeps")),
    schedule: (ms, callback) => {
      delays.push(ms);
      timers.add(callback);
      return () => timers.delete(callback);
    },
    delays,
    fire: () => timers.forEach((run) => run()),
  };
};

const failWith = (code: string) => (): Promise<never> =>
  Promise.reject(new CapstanError({ code: `objectstore.${code}`, reason: "X", message: code }));

const calls: string[] = [];
const objects = new Map<string, Uint8Array>();
const never = (): Promise<never> => new Promise(() => undefined);

/** A store in memory; `faults` replaces single operations. */
const memoryStore = (name: string, faults: Partial<ObjectStore> = {}): ObjectStore => {
  const store: ObjectStore = {
    put: async (key, bytes) => {
      objects.set(`${name}/${key}`, bytes);
      return { size: bytes.length };
    },
    signGet: async (key, { expiresInSeconds }) => ({
      url: `https://${name}.example/${key}?sig=${expiresInSeconds}`,
      expiresAt: Date.UTC(2030, 0, 1) + expiresInSeconds * 1000,
    }),
    head: async (key) => (objects.has(`${name}/${key}`) ? { size: 1, metadata: {} } : null),
    delete: async (key) => ({ existed: objects.delete(`${name}/${key}`) }),
    capabilities: { maxSignedSeconds: 604_800, maxObjectBytes: 1e9, list: false },
    ...faults,
  };
  const logged = (operation: "put" | "signGet" | "head" | "delete"): void => {
    const run = store[operation] as (...args: unknown[]) => unknown;
    Object.assign(store, { [operation]: (...args: unknown[]) => (calls.push(`${name} ${operation}`), run(...args)) });
  };
  for (const operation of ["put", "signGet", "head", "delete"] as const) logged(operation);
  return store;
};

const opener = (stores: Record<string, ObjectStore>): ObjectStoreOpener => ({
  contract: "v1",
  type: "s3",
  open: (data) => {
    const store = stores[data["bucket"] ?? ""];
    if (store === undefined) {
      throw new CapstanError({
        code: "objectstore.invalid_config",
        reason: "InvalidConfig",
        message: "bucket is empty",
        retry: { kind: "never" },
      });
    }
    return store;
  },
});

const secrets: Record<string, SecretData> = { "team/first": { bucket: "a" }, "vault/second": { bucket: "b" } };
const body = Buffer.from(`#cloud-config\n${"x".repeat(200)}`);

const both = { credentialsRef: { name: "first" }, secondaryCredentialsRef: { name: "second", namespace: "vault" } };
const withoutType = async (): Promise<SecretData> => ({ bucket: "a" });

const access = (stores: Record<string, ObjectStore>, more: Partial<StoreAccess> = {}): StoreAccess => ({
  request: { ...both, defaultType: "s3" },
  namespace: "team",
  openers: [opener(stores)],
  readSecret: async ({ namespace, name }) => secrets[`${namespace}/${name}`],
  clock: handClock(),
  signal: new AbortController().signal,
  ...more,
});

const input = (more: Partial<DeliveryInput> = {}): DeliveryInput => ({
  secretName: "boot",
  namespace: "team",
  key: "uid-1",
  readBootstrap: async () => ({ value: body, format: Buffer.from("cloud-config") }),
  store: undefined,
  uploads: new Map(),
  announce: async (record) => void calls.push(`announce ${record.route} ${record.key}`),
  log: silentLogger,
  ...more,
});

const small = userDataRoutes({ limitBytes: 100 });
const large = userDataRoutes({ limitBytes: 1000 });

beforeEach(() => {
  calls.length = 0;
  objects.clear();
});

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
      key: "uid-1",
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

describe("primary and secondary", () => {
  const attempts: readonly (readonly [string, Partial<StoreAccess>, { a?: ObjectStore }, string])[] = [
    ["no stores plugged in", { openers: undefined }, { a: memoryStore("a") }, "objectstore.not_plugged_in"],
    [
      "its Secret is missing",
      { readSecret: async () => undefined },
      { a: memoryStore("a") },
      "objectstore.secret_missing",
    ],
    [
      "an unknown type",
      { readSecret: async () => ({ type: "ftp" }) },
      { a: memoryStore("a") },
      "objectstore.type_unknown",
    ],
    [
      "no type",
      { readSecret: withoutType, request: { credentialsRef: { name: "first" } } },
      { a: memoryStore("a") },
      "objectstore.type_missing",
    ],
    ["an incomplete Secret", {}, {}, "objectstore.invalid_config"],
    ["put fails", {}, { a: memoryStore("a", { put: () => Promise.reject(new Error("x")) }) }, "objectstore.put_failed"],
    ["put is refused", {}, { a: memoryStore("a", { put: failWith("forbidden") }) }, "objectstore.forbidden"],
    [
      "sign fails",
      {},
      { a: memoryStore("a", { signGet: () => Promise.reject(new Error("x")) }) },
      "objectstore.sign_failed",
    ],
    [
      "an empty URL",
      {},
      { a: memoryStore("a", { signGet: async () => ({ url: "", expiresAt: 0 }) }) },
      "objectstore.empty_url",
    ],
    [
      "an expiry over the maximum",
      {},
      { a: memoryStore("a", { capabilities: { maxSignedSeconds: 60, maxObjectBytes: 1, list: false } }) },
      "objectstore.expiry_invalid",
    ],
  ];
  for (const [name, more, primary, code] of attempts) {
    it(`${name}: named, and the secondary takes over`, async () => {
      const request = { credentialsRef: { name: "first" }, defaultType: "s3" };
      const stores: Record<string, ObjectStore> = { b: memoryStore("b"), ...primary };
      const alone = bootstrapDelivery(input({ store: access(stores, { request, ...more }) }));
      await expect(alone.deliver(small)).rejects.toMatchObject({
        code: "objectstore.all_failed",
        details: { attempts: [{ secret: "team/first", code }] },
      });
      if (more.openers === undefined && "openers" in more) return;
      const readSecret: StoreAccess["readSecret"] = async (ref) =>
        ref.name === "second"
          ? { ...secrets["vault/second"], type: "s3" }
          : (more.readSecret ?? access({}).readSecret)(ref);
      const twoStores = { ...both, ...(more.request === undefined ? { defaultType: "s3" } : {}) };
      const second = bootstrapDelivery(input({ store: access(stores, { ...more, readSecret, request: twoStores }) }));
      await expect(second.deliver(small)).resolves.toMatchObject({ route: "object-store" });
      expect(second.record()?.store).toBe("vault/second");
    });
  }

  it("gives every store its own 30 seconds, also one that hangs", async () => {
    const clock = handClock();
    const delivery = bootstrapDelivery(
      input({ store: access({ a: memoryStore("a", { put: never }), b: memoryStore("b") }, { clock }) }),
    );
    const delivered = delivery.deliver(small);
    await new Promise(setImmediate);
    clock.fire();
    await expect(delivered).resolves.toMatchObject({ route: "object-store" });
    expect(clock.delays).toEqual([attemptTimeoutMs, attemptTimeoutMs]);
    expect(delivery.record()?.store).toBe("vault/second");
  });

  it("reports a cancelled call as cancelled and tries nothing more", async () => {
    const parent = new AbortController();
    const stores = { a: memoryStore("a", { put: never }), b: memoryStore("b") };
    const delivered = bootstrapDelivery(input({ store: access(stores, { signal: parent.signal }) })).deliver(small);
    await new Promise(setImmediate);
    parent.abort();
    await expect(delivered).rejects.toMatchObject({ code: "objectstore.cancelled" });
    expect(calls).toEqual(["announce object-store uid-1", "a put"]);
  });

  it("never shows the URL", async () => {
    const stores = {
      a: memoryStore("a", { signGet: () => Promise.reject(new Error("https://a.example/?sig=secret")) }),
    };
    const error: unknown = await bootstrapDelivery(
      input({ store: access(stores, { request: { credentialsRef: { name: "first" }, defaultType: "s3" } }) }),
    )
      .deliver(small)
      .catch((thrown: unknown) => thrown);
    expect(JSON.stringify([error, (error as Error).message])).not.toContain("sig=");
  });
});

describe("the type of a store", () => {
  const first = { credentialsRef: { name: "first" } };
  const named = (type: string, more: Partial<ObjectStoreOpener> = {}): ObjectStoreOpener => ({
    ...opener({ a: memoryStore(type) }),
    type,
    ...more,
  });
  const cases: readonly (readonly [string, Partial<StoreAccess>, string])[] = [
    ["that of the Secret first", { readSecret: async () => ({ bucket: "a", type: "swift" }) }, "swift"],
    ["that of the provider's Secrets", { readSecret: withoutType }, "s3"],
    ["an empty one is none", { readSecret: async () => ({ bucket: "a", type: " " }) }, "s3"],
    ["that of the application last", { readSecret: withoutType, request: first }, "local"],
  ];
  it.each(cases)("is %s", async (_case, more, expected) => {
    const openers = [named("s3"), named("swift"), named("local", { isDefault: true })];
    const request = { ...first, defaultType: "s3" };
    await bootstrapDelivery(input({ store: access({}, { request, openers, ...more }) })).deliver(small);
    expect(calls.filter((call) => !call.startsWith("announce"))).toEqual([`${expected} put`, `${expected} signGet`]);
  });

  it("is asked for by the names of the Secret and of the types that are known", async () => {
    const openers = [named("s3"), named("swift")];
    const store = access({}, { request: first, openers, readSecret: withoutType });
    await expect(bootstrapDelivery(input({ store })).deliver(small)).rejects.toThrow(
      'Secret team/first does not say of what type its object store is; write one of s3, swift under its key "type"',
    );
  });
});

describe("when to try again", () => {
  const asking = (ms: number) => () =>
    Promise.reject(
      new CapstanError({ code: "objectstore.throttled", reason: "X", message: "x", retry: { kind: "after", ms } }),
    );
  const refusing = () =>
    Promise.reject(
      new CapstanError({ code: "objectstore.too_large", reason: "X", message: "x", retry: { kind: "never" } }),
    );
  const cases: readonly (readonly [string, ObjectStore["put"], ObjectStore["put"], object])[] = [
    ["both ask for a time", asking(5000), asking(3000), { kind: "after", ms: 3000 }],
    ["one asks for a time and the other fails", asking(5000), failWith("unavailable"), { kind: "backoff" }],
    ["one asks for a time and the other refuses", asking(5000), refusing, { kind: "after", ms: 5000 }],
    ["both refuse", refusing, refusing, { kind: "never" }],
  ];
  it.each(cases)("%s", async (_case, first, second, retry) => {
    const stores = { a: memoryStore("a", { put: first }), b: memoryStore("b", { put: second }) };
    await expect(bootstrapDelivery(input({ store: access(stores) })).deliver(small)).rejects.toMatchObject({ retry });
  });
});

describe("deleteBootstrapObject", () => {
  const request = { credentialsRef: { name: "first" }, defaultType: "s3" };
  const cases: readonly (readonly [string, Partial<ObjectStore>, readonly string[], string?])[] = [
    ["looks, then deletes", {}, ["a head", "a delete"]],
    ["stops when it is not there", { head: async () => null }, ["a head"]],
    ["deletes though the look is refused", { head: failWith("forbidden") }, ["a head", "a delete"]],
    ["takes a missing bucket for done", { head: failWith("bucket_not_found") }, ["a head"]],
    ["takes a missing key for done", { delete: failWith("object_not_found") }, ["a head", "a delete"]],
    ["reports a look that fails", { head: failWith("unavailable") }, ["a head"], "objectstore.delete_failed"],
    [
      "reports a deletion that is refused",
      { delete: failWith("forbidden") },
      ["a head", "a delete"],
      "objectstore.delete_failed",
    ],
  ];
  for (const [name, faults, expected, code] of cases) {
    it(name, async () => {
      objects.set("a/uid-1", body);
      const deleted = deleteBootstrapObject(access({ a: memoryStore("a", faults) }, { request }), "uid-1");
      if (code === undefined) await deleted;
      else await expect(deleted).rejects.toMatchObject({ code });
      expect(calls).toEqual(expected);
    });
  }

  it("tries both stores, and twice is once", async () => {
    objects.set("b/uid-1", body);
    const stores = access({ a: memoryStore("a", { head: failWith("unavailable") }), b: memoryStore("b") });
    await expect(deleteBootstrapObject(stores, "uid-1")).rejects.toMatchObject({ code: "objectstore.delete_failed" });
    expect(objects.size).toBe(0);
    await expect(
      deleteBootstrapObject(
        access(
          { b: memoryStore("b") },
          { request: { credentialsRef: { name: "second", namespace: "vault" }, defaultType: "s3" } },
        ),
        "uid-1",
      ),
    ).resolves.toBeUndefined();
  });
});
