import { expect, it } from "vitest";
import { installationAnnotations, installationIn } from "../cluster/installation-epoch.ts";
import { restoredInstallation } from "./raise-epoch.ts";

const now = 1_700_000_000_500;
const later = 1_800_000_000;

it.each([
  [
    "an empty target is who was backed up",
    { id: "a", epoch: 1 },
    { id: "b", epoch: 1, hasClusters: false },
    "a",
    1.7e9,
  ],
  ["a clock that goes back does not count", { id: "a", epoch: later }, { id: "a", epoch: 1 }, "a", later + 1],
  ["nor one at the target", { id: "a", epoch: 1 }, { id: "a", epoch: later }, "a", later + 1],
  [
    "what has Clusters stays who it is",
    { id: "a", epoch: later },
    { id: "b", epoch: 7, hasClusters: true },
    "b",
    1.7e9,
  ],
  ["a backup without the Namespace", undefined, { id: "b", epoch: 1, hasClusters: false }, "b", 1.7e9],
])("%s", (_, backedUp, target, id, epoch) => {
  expect(restoredInstallation(backedUp, { hasClusters: false, ...target }, now)).toEqual({ id, epoch });
});

it.each([
  [{ uid: "u" }, { id: "u", epoch: 1 }],
  [
    { uid: "u", annotations: installationAnnotations({ id: "other", epoch: 12 }) },
    { id: "other", epoch: 12 },
  ],
  [
    { uid: "u", annotations: { "capstan.dev/installation-epoch": "x" } },
    { id: "u", epoch: 1 },
  ],
  [
    { uid: "u", annotations: { "capstan.dev/installation-epoch": "-4" } },
    { id: "u", epoch: 1 },
  ],
])("reads %j", (metadata, facts) => {
  expect(installationIn({ apiVersion: "v1", kind: "Namespace", metadata })).toEqual(facts);
});
