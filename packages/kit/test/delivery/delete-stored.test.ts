import type { ObjectStore } from "@capstan/contract/v1";
import { beforeEach, describe, expect, it } from "vitest";
import { deleteStored } from "../../src/delivery/delete-stored.ts";
import { access, body, calls, failWith, forgetAll, memoryStore, objects } from "./store-bench.ts";

beforeEach(forgetAll);

const objectsOf = [{ key: "uid-1" }];

describe("deleteStored", () => {
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
      const deleted = deleteStored(access({ a: memoryStore("a", faults) }, { request }), objectsOf);
      if (code === undefined) await deleted;
      else await expect(deleted).rejects.toMatchObject({ code });
      expect(calls).toEqual(expected);
    });
  }

  it("tries both stores, and twice is once", async () => {
    objects.set("b/uid-1", body);
    const stores = access({ a: memoryStore("a", { head: failWith("unavailable") }), b: memoryStore("b") });
    await expect(deleteStored(stores, objectsOf)).rejects.toMatchObject({ code: "objectstore.delete_failed" });
    expect(objects.size).toBe(0);
    await expect(
      deleteStored(
        access(
          { b: memoryStore("b") },
          { request: { credentialsRef: { name: "second", namespace: "vault" }, defaultType: "s3" } },
        ),
        objectsOf,
      ),
    ).resolves.toBeUndefined();
  });

  describe("where the data was put is what counts", () => {
    const missing = (name: string) => async (ref: { readonly name: string }) =>
      ref.name === name ? undefined : { bucket: ref.name === "first" ? "a" : "b" };
    const failing = { head: failWith("unavailable") };
    const put: readonly (readonly [string, Parameters<typeof access>[1], Record<string, ObjectStore>, boolean])[] = [
      [
        "in the first; another is named by now and fails",
        {},
        { a: memoryStore("a"), b: memoryStore("b", failing) },
        true,
      ],
      ["in the first, which fails", {}, { a: memoryStore("a", failing), b: memoryStore("b") }, false],
      [
        "in the first, whose Secret another has replaced",
        { readSecret: missing("first") },
        { a: memoryStore("a"), b: memoryStore("b") },
        true,
      ],
      [
        "in the first, whose Secret is gone, and the other fails",
        { readSecret: missing("first") },
        { a: memoryStore("a"), b: memoryStore("b", failing) },
        false,
      ],
    ];
    it.each(put)("%s", async (_case, more, stores, gone) => {
      const deleted = deleteStored(access(stores, more), objectsOf, ["team/first"]);
      if (gone) await deleted;
      else await expect(deleted).rejects.toMatchObject({ code: "objectstore.delete_failed" });
    });
  });

  describe("an object whose key does not say whose it is", () => {
    const stored = [{ key: "uid-0", owner: "mark-1" }];
    const carrying = (metadata: Readonly<Record<string, string>>): Partial<ObjectStore> => ({
      head: async () => ({ size: 1, metadata }),
    });
    const cases: readonly (readonly [string, Partial<ObjectStore>, boolean])[] = [
      ["goes with the mark of the machine", carrying({ "capstan-owner": "mark-1" }), true],
      ["stays with another's mark", carrying({ "capstan-owner": "mark-2" }), false],
      ["stays without a mark", carrying({ "capstan-machine-uid": "uid-0" }), false],
      ["stays where the store does not show it", { head: failWith("forbidden") }, false],
      ["is gone already", { head: async () => null }, true],
    ];
    it.each(cases)("%s", async (_case, faults, done) => {
      objects.set("a/uid-0", body);
      const deleted = deleteStored(access({ a: memoryStore("a", faults) }, { request }), stored);
      if (done) await deleted;
      else {
        await expect(deleted).rejects.toThrow(/does not confirm that the object uid-0 belongs to this machine/);
        expect(objects.size).toBe(1);
      }
    });
  });
});
