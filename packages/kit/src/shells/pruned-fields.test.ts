import { silentLogger } from "@capstan/contract";
import { type KubeObject, resource } from "@capstan/schema";
import { expect, it } from "vitest";
import { PrunedFields } from "./pruned-fields.ts";

const Thing = resource({ group: "test.capstan.dev", version: "v1", kind: "Thing", plural: "things" });
const stored: KubeObject = { apiVersion: "test.capstan.dev/v1", kind: "Thing", metadata: {}, status: { ready: true } };

it("leaves out what the server dropped, with the parents that this empties, and nothing else", () => {
  const pruned = new PrunedFields(silentLogger);
  const conditions = [{ type: "Ready" }];
  const asked = { status: { ready: true, deprecated: { v1beta1: { conditions } } } };
  expect(pruned.without(asked)).toEqual(asked);
  pruned.learn(Thing, stored, asked);
  expect(pruned.without(asked)).toEqual({ status: { ready: true } });
  expect(pruned.without({ status: { deprecated: { v1beta1: { conditions } } } })).toEqual({});
  expect(pruned.without({ status: { empty: {}, gone: null } })).toEqual({ status: { empty: {}, gone: null } });
});
