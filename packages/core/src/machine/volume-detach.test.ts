import { describe, expect, it } from "vitest";
import { volumesToAwait } from "./volume-detach.ts";
import type { PersistentVolume } from "../object/workload-kinds.ts";

const volume = (name: string, claim?: string): PersistentVolume => ({
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name },
  spec: {
    csi: { driver: "csi.example", volumeHandle: `handle-${name}` },
    ...(claim === undefined ? {} : { claimRef: { namespace: "ns", name: claim } }),
  },
});

const given = (over: Partial<Parameters<typeof volumesToAwait>[0]>) =>
  volumesToAwait({ volumesAttached: [], attachments: [], volumes: [], ignoredClaims: new Set(), ...over });

describe("volumesToAwait", () => {
  it.each<[string, Partial<Parameters<typeof volumesToAwait>[0]>, readonly string[]]>([
    ["nothing attached", { volumes: [volume("a", "data")] }, []],
    [
      "by the Node's status",
      { volumesAttached: ["kubernetes.io/csi/csi.example^handle-a"], volumes: [volume("a", "data")] },
      ["a"],
    ],
    ["by an attachment", { attachments: ["a"], volumes: [volume("a", "data")] }, ["a"]],
    [
      "by both, once",
      {
        volumesAttached: ["kubernetes.io/csi/csi.example^handle-a"],
        attachments: ["a"],
        volumes: [volume("a", "data")],
      },
      ["a"],
    ],
    ["not those of no CSI driver", { volumesAttached: ["kubernetes.io/aws-ebs/vol-1"] }, []],
    ["a volume without claim", { attachments: ["a"], volumes: [volume("a")] }, ["a"]],
    ["an attachment without volume", { attachments: ["a"] }, ["a"]],
    [
      "a status without volume",
      { volumesAttached: ["kubernetes.io/csi/csi.example^lost"] },
      ["kubernetes.io/csi/csi.example^lost"],
    ],
    [
      "not those that only Pods use which stay",
      {
        attachments: ["a", "b"],
        volumes: [volume("a", "logs"), volume("b", "data")],
        ignoredClaims: new Set(["ns/logs"]),
      },
      ["b"],
    ],
  ])("%s", (_, over, expected) => expect(given(over)).toEqual(expected));
});
