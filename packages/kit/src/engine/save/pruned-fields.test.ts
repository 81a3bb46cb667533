import { silentLogger } from "@capstan/contract";
import { boolean, kind, object, optional, resource } from "@capstan/schema";
import type { Fields, KubeObject, Resource } from "@capstan/schema";
import { expect, it } from "vitest";
import { PrunedFields } from "./pruned-fields.ts";

const Thing = resource({ group: "test.capstan.dev", version: "v1", kind: "Thing", plural: "things" });
const stored: KubeObject = { apiVersion: "test.capstan.dev/v1", kind: "Thing", metadata: {}, status: { ready: true } };

it("leaves out what the server dropped, with the parents that this empties, and nothing else", () => {
  const pruned = new PrunedFields(Thing, "v1beta2");
  const conditions = [{ type: "Ready" }];
  const asked = { status: { ready: true, deprecated: { v1beta1: { conditions } } } };
  expect(pruned.without(asked)).toEqual(asked);
  pruned.learn(stored, asked, silentLogger);
  expect(pruned.without(asked)).toEqual({ status: { ready: true } });
  expect(pruned.without({ status: { deprecated: { v1beta1: { conditions } } } })).toEqual({});
  expect(pruned.without({ status: { empty: {}, gone: null } })).toEqual({ status: { empty: {}, gone: null } });
});

const declared = (status: Fields): Resource =>
  kind({ ...Thing, description: "T.", spec: object({}), status: object(status) });

it.each([
  ["v1beta2", {}, { initialization: { provisioned: true } }],
  [
    "v1beta2",
    { ready: optional(boolean({ description: "R." })) },
    { ready: true, initialization: { provisioned: true } },
  ],
  ["v1beta1", {}, { ready: true }],
] as const)(
  "asks a kind of contract %s with the fields %j for what it has of the other contract",
  (contract, status, kept) => {
    const pruned = new PrunedFields(declared(status), contract);
    const conditions = { v1beta1: { conditions: [] } };
    const asked = { status: { ready: true, initialization: { provisioned: true }, v1beta2: {} } };
    expect(pruned.without(asked)).toEqual({ status: { ...kept, v1beta2: {} } });
    expect(pruned.without({ status: { deprecated: conditions } })).toEqual(
      contract === "v1beta2" ? {} : { status: { deprecated: conditions } },
    );
  },
);
