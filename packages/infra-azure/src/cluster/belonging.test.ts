import { ownerOf } from "@capstan/kit/engine";
import { expect, it } from "vitest";
import { isOwned, otherOwner } from "./belonging.ts";
import { ownedTags } from "./resource-tags.ts";

const ownerIn = (namespace: string, uid: string, annotations = {}) =>
  ownerOf({ apiVersion: "v1", kind: "AzureCluster", metadata: { namespace, name: "prod", uid, annotations } });

const owner = ownerIn("red", "u1");
const claim = {
  clusterName: "prod",
  owner,
  otherWithUid: (uid: string) => (uid === "u2" ? "blue/prod" : undefined),
};
const cluster = (name: string, value = "owned") => ({
  [`sigs.k8s.io_cluster-api-provider-azure_cluster_${name}`]: value,
});
const first = (of: typeof owner) => ownedTags({ clusterName: "prod", owner: of });

it.each([
  ["nobody's", undefined, false, undefined],
  ["of upstream's controllers", cluster("prod"), true, undefined],
  ["in other letter case", { "Sigs.K8s.io_Cluster-Api-Provider-Azure_Cluster_Prod": "owned" }, true, undefined],
  ["shared", cluster("prod", "shared"), false, undefined],
  ["of another Cluster", cluster("other"), false, "Cluster other"],
  ["of an older release", { ...cluster("prod"), "capstan-uid": "u1" }, true, undefined],
  ["of an older release before a move", { ...cluster("prod"), "capstan-uid": "u0" }, true, undefined],
  ["of an older release for the other", { ...cluster("prod"), "capstan-uid": "u2" }, false, "AzureCluster blue/prod"],
  ["its own", first(owner), true, undefined],
  ["its own after a move", first(ownerIn("red", "u9", { "capstan.dev/owner-id": "u1" })), true, undefined],
  ["of one of the same name", first(ownerIn("blue", "u2")), false, "AzureCluster blue/prod"],
  [
    "of a copy of it elsewhere",
    first(ownerIn("blue", "u3", { "capstan.dev/owner-id": "u1" })),
    false,
    "AzureCluster blue/prod",
  ],
  ["of the same name in another management cluster", first(ownerIn("red", "u8")), false, "AzureCluster red/prod"],
])("a resource that is %s", (_, tags, owned, other) => {
  const resource = tags === undefined ? {} : { tags };
  expect(isOwned(resource, claim)).toBe(owned);
  expect(otherOwner(resource, claim)).toBe(other);
});
