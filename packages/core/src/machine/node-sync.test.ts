import { Annotation, Label, NodeSyncDomain, Taint } from "@capstan/contract";
import { applyPatch } from "@capstan/contract/wire";
import { describe, expect, it } from "vitest";
import { machine } from "../../test/objects.ts";
import type { Machine } from "../api.ts";
import { nodePatch, syncedAnnotations, syncedLabels } from "./node-sync.ts";
import type { Node } from "../object/workload-kinds.ts";

const none = { additionalLabels: [], additionalAnnotations: [] };
const byFlag = { additionalLabels: [/^team\/.*$/], additionalAnnotations: [/^note$/] };

const labelled = (labels: Readonly<Record<string, string>>, annotations = {}): Machine =>
  machine({ metadata: { labels, annotations } });

const node = (parts: { labels?: object; annotations?: object; taints?: readonly object[] } = {}): Node =>
  ({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "n", resourceVersion: "7", labels: parts.labels ?? {}, annotations: parts.annotations ?? {} },
    spec: { providerID: "x://1", ...(parts.taints === undefined ? {} : { taints: parts.taints }) },
  }) as unknown as Node;

const input = (over: Partial<Parameters<typeof nodePatch>[0]>): Parameters<typeof nodePatch>[0] => ({
  node: node(),
  machine: machine(),
  interruptible: false,
  outdated: undefined,
  options: none,
  ...over,
});

/** The Node after the patch, and proof that a second sync has nothing to say. */
const synced = (over: Partial<Parameters<typeof nodePatch>[0]>): Node => {
  const given = input(over);
  const patch = nodePatch(given);
  const result = patch === undefined ? given.node : applyPatch(given.node, patch);
  expect(nodePatch({ ...given, node: result })).toBeUndefined();
  return result;
};

describe("syncedLabels", () => {
  it.each([
    [`${NodeSyncDomain.role}/worker`, true],
    [`sub.${NodeSyncDomain.role}/worker`, false],
    [`${NodeSyncDomain.restriction}/zone`, true],
    [`a.${NodeSyncDomain.restriction}/zone`, true],
    [`${NodeSyncDomain.managed}/x`, true],
    [`a.b.${NodeSyncDomain.managed}/x`, true],
    [`not${NodeSyncDomain.managed}/x`, false],
    ["team/blue", true],
    ["myteam/blue", false],
    [Label.clusterName, false],
    ["plain", false],
  ])("takes %s: %s", (key, expected) => {
    expect(key in syncedLabels(labelled({ [key]: "v" }), byFlag)).toBe(expected);
  });
});

describe("syncedAnnotations", () => {
  it.each([
    [`${NodeSyncDomain.managed}/x`, true],
    ["note", true],
    ["notes", false],
    [`${NodeSyncDomain.restriction}/zone`, false],
  ])("takes %s: %s", (key, expected) => {
    expect(key in syncedAnnotations(labelled({}, { [key]: "v" }), byFlag)).toBe(expected);
  });
});

describe("nodePatch", () => {
  const key = `${NodeSyncDomain.managed}/x`;

  it("links the Node to its Machine, its Cluster and the Machine's owner", () => {
    const ownerReferences = [{ apiVersion: "g/v1", kind: "MachineSet", name: "set", uid: "u", controller: true }];
    expect(synced({ machine: machine({ metadata: { ownerReferences } }) }).metadata.annotations).toEqual({
      [Annotation.nodeClusterName]: "prod",
      [Annotation.nodeClusterNamespace]: "default",
      [Annotation.nodeTaintsFromMachine]: "",
      [Annotation.nodeMachine]: "m",
      [Annotation.nodeOwnerKind]: "MachineSet",
      [Annotation.nodeOwnerName]: "set",
      [Annotation.nodeLabelsFromMachine]: "",
      [Annotation.nodeAnnotationsFromMachine]: "",
    });
  });

  it("holds the version it was made from", () => {
    expect(nodePatch(input({}))).toMatchObject({ metadata: { resourceVersion: "7" } });
  });

  it("adds and changes labels, and remembers which are its own", () => {
    const result = synced({
      machine: labelled({ [key]: "new", [`${NodeSyncDomain.role}/worker`]: "" }),
      node: node({ labels: { [key]: "old", foreign: "1" } }),
    });
    expect(result.metadata.labels).toEqual({ [key]: "new", [`${NodeSyncDomain.role}/worker`]: "", foreign: "1" });
    expect(result.metadata.annotations?.[Annotation.nodeLabelsFromMachine]).toBe(
      `${NodeSyncDomain.role}/worker,${key}`,
    );
  });

  it("removes what was once its own, and only that", () => {
    const result = synced({
      node: node({ labels: { [key]: "1", foreign: "1" }, annotations: { [Annotation.nodeLabelsFromMachine]: key } }),
    });
    expect(result.metadata.labels).toEqual({ foreign: "1" });
  });

  it("does not mind that others removed it before", () => {
    const patch = nodePatch(input({ node: node({ annotations: { [Annotation.nodeLabelsFromMachine]: key } }) }));
    expect(patch).not.toHaveProperty("metadata.labels");
  });

  it("keeps a label of its domain that it never set", () => {
    expect(synced({ node: node({ labels: { [key]: "kubelet" } }) }).metadata.labels).toEqual({ [key]: "kubelet" });
  });

  it("synchronises annotations in the same way", () => {
    const result = synced({
      machine: labelled({}, { [key]: "1" }),
      node: node({ annotations: { [Annotation.nodeAnnotationsFromMachine]: "note", note: "gone" } }),
    });
    expect(result.metadata.annotations).toMatchObject({ [key]: "1", [Annotation.nodeAnnotationsFromMachine]: key });
    expect(result.metadata.annotations).not.toHaveProperty("note");
  });

  it("labels interruptible Nodes, and does not count that among the Machine's labels", () => {
    const result = synced({ interruptible: true });
    expect(result.metadata.labels).toEqual({ [Label.interruptible]: "" });
    expect(result.metadata.annotations?.[Annotation.nodeLabelsFromMachine]).toBe("");
  });

  const other = { key: "dedicated", value: "db", effect: "NoSchedule" };
  it.each<[string, readonly object[] | undefined, boolean | undefined, readonly object[] | undefined]>([
    ["takes the uninitialized taint away", [Taint.uninitialized, other], undefined, [other]],
    ["takes the last taint away", [Taint.uninitialized], undefined, undefined],
    ["leaves others alone", [other], undefined, [other]],
    ["marks an outdated revision", undefined, true, [Taint.outdatedRevision]],
    ["marks it once", [Taint.outdatedRevision], true, [Taint.outdatedRevision]],
    ["takes the mark back", [Taint.outdatedRevision, other], false, [other]],
    ["leaves the mark when nothing is known", [Taint.outdatedRevision], undefined, [Taint.outdatedRevision]],
    ["does both at once", [Taint.uninitialized], true, [Taint.outdatedRevision]],
  ])("%s", (_, taints, outdated, expected) => {
    const given = node(taints === undefined ? {} : { taints });
    expect(synced({ node: given, outdated }).spec?.taints).toEqual(expected);
  });
});
