import type { ObjectStore } from "@capstan/contract/v1";
import { beforeEach, describe, expect, it } from "vitest";
import { deleteBootstrapObject } from "../../src/delivery/delete-bootstrap.ts";
import { access, body, calls, failWith, forgetAll, memoryStore, objects } from "./store-bench.ts";

beforeEach(forgetAll);

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
