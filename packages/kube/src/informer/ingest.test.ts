import { type KubeObject, resource } from "@capstan/schema";
import { expect, it } from "vitest";
import { defaultContents, ingestOf } from "./ingest.ts";

const kind = (name: string, group = "") => resource({ group, version: "v1", kind: name, plural: name.toLowerCase() });

const metadata = () => ({
  name: "a",
  managedFields: [{ manager: "x" }],
  annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}", keep: "me" },
});

it("drops what nobody reads, fills in the type and freezes all the way down", () => {
  const ingest = ingestOf(kind("Node"), "full");
  // As in a list of a built-in kind: without apiVersion and kind.
  const text = JSON.stringify({ metadata: metadata(), status: { images: [{}], conditions: [{ type: "Ready" }] } });
  const node = ingest(JSON.parse(text) as KubeObject);
  expect(node).toEqual({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "a", annotations: { keep: "me" } },
    status: { conditions: [{ type: "Ready" }] },
  });
  expect(Object.isFrozen((node["status"] as { conditions: object[] }).conditions[0])).toBe(true);
});

it("keeps the metadata of large kinds alone", () => {
  expect(defaultContents(kind("Secret"))).toBe("metadata");
  expect(defaultContents(kind("CustomResourceDefinition", "apiextensions.k8s.io"))).toBe("metadata");
  expect(defaultContents(kind("Secret", "example.com"))).toBe("full");
  const partial = {
    apiVersion: "meta.k8s.io/v1",
    kind: "PartialObjectMetadata",
    metadata: metadata(),
    data: { x: "y" },
  };
  expect(ingestOf(kind("Secret"), "metadata")(partial)).toEqual({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "a", annotations: { keep: "me" } },
  });
});
