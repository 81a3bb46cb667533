import { describe, expect, it } from "vitest";
import { negotiate } from "./negotiation.ts";

const view = (name: string, version = "v1") => `application/json;as=${name};v=${version};g=meta.k8s.io`;

describe("negotiate", () => {
  it.each([
    [undefined, "json"],
    ["*/*", "json"],
    ["application/json, */*;q=0.5", "json"],
    ["application/yaml", "yaml"],
    ["application/json;q=0.1,application/yaml", "yaml"],
    ["application/vnd.kubernetes.protobuf", "json"],
    ["application/vnd.kubernetes.protobuf,application/yaml", "yaml"],
    ["text/plain,application/json", "json"],
  ])("writes %s as %s", (accept, media) => {
    expect(negotiate(accept)).toEqual({ media });
  });

  it.each([
    [view("Table"), "Table", "v1"],
    [`${view("Table", "v9")},${view("Table", "v1beta1")}`, "Table", "v1beta1"],
    [view("PartialObjectMetadataList"), "PartialObjectMetadata", "v1"],
    [
      `application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,${view("PartialObjectMetadata")}`,
      "PartialObjectMetadata",
      "v1",
    ],
  ])("shows %s as %s", (accept, expected, version) => {
    expect(negotiate(accept)).toEqual({ media: "json", as: { view: expected, version } });
  });

  it.each(["text/plain", "toString", view("Table", "v9"), view("Unknown"), view("toString"), "application/json;q=0"])(
    "refuses %s",
    (accept) => {
      expect(() => negotiate(accept)).toThrow(expect.objectContaining({ reason: "NotAcceptable" }));
    },
  );
});
