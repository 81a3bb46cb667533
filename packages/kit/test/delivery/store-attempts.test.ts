import { CapstanError } from "@capstan/contract";
import type { ObjectStore, ObjectStoreOpener } from "@capstan/contract/v1";
import { beforeEach, describe, expect, it } from "vitest";
import { bootstrapDelivery } from "../../src/delivery/bootstrap-delivery.ts";
import { attemptTimeoutMs } from "../../src/delivery/store-attempts.ts";
import {
  access,
  both,
  calls,
  failWith,
  forgetAll,
  handClock,
  input,
  memoryStore,
  never,
  opener,
  secrets,
  small,
  withoutType,
} from "./store-bench.ts";

beforeEach(forgetAll);

type Access = NonNullable<Parameters<typeof access>[1]>;

describe("primary and secondary", () => {
  const attempts: readonly (readonly [string, Partial<Access>, { a?: ObjectStore }, string])[] = [
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
      const readSecret: NonNullable<Access["readSecret"]> = async (ref) =>
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
  const cases: readonly (readonly [string, Partial<Access>, string])[] = [
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
      'Secret team/first has no key "type"; set it to one of s3, swift',
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
