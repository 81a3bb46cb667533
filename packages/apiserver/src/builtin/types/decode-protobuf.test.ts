import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isStatusError } from "../../model/status-error.ts";
import { decodeProtobuf, isProtobuf } from "./decode-protobuf.ts";

const bytes = (...numbers: readonly number[]): Uint8Array => Uint8Array.from(numbers);
const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "hex"));
const concat = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));

const varint = (value: number | bigint): Uint8Array => {
  let rest = BigInt.asUintN(64, BigInt(value));
  const out: number[] = [];
  while (rest >= 0x80n) {
    out.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return bytes(...out, Number(rest));
};
const int = (number: number, value: number | bigint): Uint8Array => concat(varint(number << 3), varint(value));
const text = (number: number, value: string | Uint8Array): Uint8Array => {
  const content = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return concat(varint((number << 3) | 2), varint(content.length), content);
};
const message = (number: number, ...fields: readonly Uint8Array[]): Uint8Array => text(number, concat(...fields));
const envelope = (apiVersion: string, kind: string, ...fields: readonly Uint8Array[]): Uint8Array =>
  concat(
    hex("6b387300"),
    message(1, text(1, apiVersion), text(2, kind)),
    message(2, ...fields),
    text(3, ""),
    text(4, ""),
  );

describe("decodeProtobuf", () => {
  it("decodes what kubectl sends for a Namespace", () => {
    const body =
      "6b3873000a0f0a02763112094e616d657370616365121b0a130a036e736112001a0022002a0032003800420012001a020a001a002200";
    expect(decodeProtobuf(hex(body))).toEqual({
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "nsa" },
      spec: {},
      status: {},
    });
  });

  it("decodes what kubectl sends for a Secret", () => {
    const body =
      "6b3873000a0c0a0276311206536563726574121e0a120a02733112001a0022002a0032003800420012060a01611201621a001a002200";
    expect(decodeProtobuf(hex(body))).toEqual({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s1" },
      data: { a: "Yg==" },
    });
  });

  it("decodes times, pointers, required zeros and negative numbers", () => {
    const lease = envelope(
      "coordination.k8s.io/v1",
      "Lease",
      message(1, text(1, "l"), message(8, int(1, 1_700_000_000)), int(10, 0)),
      message(2, text(1, ""), int(2, 15), message(3, int(1, 1_700_000_000), int(2, 123_456_000)), message(4)),
    );
    expect(decodeProtobuf(lease)).toEqual({
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "l", creationTimestamp: "2023-11-14T22:13:20Z", deletionGracePeriodSeconds: 0 },
      spec: { holderIdentity: "", leaseDurationSeconds: 15, acquireTime: "2023-11-14T22:13:20.123456Z" },
    });
    const priority = envelope("scheduling.k8s.io/v1", "PriorityClass", int(2, -1_000_000));
    expect(decodeProtobuf(priority)).toMatchObject({ value: -1_000_000 });
  });

  it("decodes numbers or strings, quantities and embedded types", () => {
    const pod = envelope(
      "v1",
      "Pod",
      message(
        2,
        message(1, text(1, "v"), message(2, message(6, text(1, "secret")))),
        message(
          2,
          text(1, "c"),
          message(8, message(1, text(1, "cpu"), message(2, text(1, "100m")))),
          message(
            10,
            message(1, message(2, text(1, "/"), message(2, int(1, 1), int(2, 0), text(3, "http")))),
            int(2, 0),
          ),
          message(11, message(1, message(3, message(1, int(1, 0), int(2, 8080), text(3, ""))))),
        ),
      ),
    );
    expect(decodeProtobuf(pod)).toMatchObject({
      spec: {
        volumes: [{ name: "v", secret: { secretName: "secret" } }],
        containers: [
          {
            name: "c",
            resources: { limits: { cpu: "100m" } },
            livenessProbe: { httpGet: { path: "/", port: "http" } },
            readinessProbe: { tcpSocket: { port: 8080 } },
          },
        ],
      },
    });
  });

  it("decodes the schema of a CustomResourceDefinition", () => {
    const schema = [
      text(5, "object"),
      message(8, text(1, '{"a":1}')),
      concat(varint((11 << 3) | 1), hex("000000000000f83f")),
      message(24, message(1, text(5, "string"))),
      message(29, text(1, "spec"), message(2, text(5, "integer"))),
      message(30, int(1, 0)),
    ];
    const crd = envelope(
      "apiextensions.k8s.io/v1",
      "CustomResourceDefinition",
      message(2, text(1, "g"), message(7, text(1, "v1"), int(2, 1), int(3, 0), message(4, message(1, ...schema)))),
    );
    expect(decodeProtobuf(crd)).toMatchObject({
      spec: {
        group: "g",
        versions: [
          {
            name: "v1",
            served: true,
            storage: false,
            schema: {
              openAPIV3Schema: {
                type: "object",
                default: { a: 1 },
                minimum: 1.5,
                items: { type: "string" },
                properties: { spec: { type: "integer" } },
                additionalProperties: false,
              },
            },
          },
        ],
      },
    });
  });

  it("decodes the string lists of a SubjectAccessReview", () => {
    const review = envelope(
      "authorization.k8s.io/v1",
      "SubjectAccessReview",
      message(2, message(5, text(1, "scopes"), message(2, text(1, "a"), text(1, "b")))),
    );
    expect(decodeProtobuf(review)).toMatchObject({ spec: { extra: { scopes: ["a", "b"] } } });
  });

  it("finds options by kind, whatever group they are written for", () => {
    const options = envelope("apps/v1", "DeleteOptions", int(1, 0), text(4, "Background"), text(5, "All"));
    expect(decodeProtobuf(options)).toMatchObject({
      gracePeriodSeconds: 0,
      propagationPolicy: "Background",
      dryRun: ["All"],
    });
  });

  it("skips fields it does not know", () => {
    expect(decodeProtobuf(envelope("v1", "ConfigMap", int(99, 1), text(98, "x")))).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
    });
  });

  it("treats __proto__ as a key like any other", () => {
    const map = envelope("v1", "ConfigMap", message(2, text(1, "__proto__"), text(2, "x")));
    expect(Object.keys(decodeProtobuf(map)["data"] as object)).toEqual(["__proto__"]);
  });

  it.each([
    ["no envelope", hex("00")],
    ["an unknown kind", envelope("v1", "Nope")],
    ["an unknown group", envelope("nope/v1", "ConfigMap")],
    ["a cut message", envelope("v1", "ConfigMap", text(1, "x")).subarray(0, -8)],
    ["a number for a message", envelope("v1", "ConfigMap", int(1, 1))],
    ["text that is not UTF-8", envelope("v1", "ConfigMap", message(1, text(1, bytes(0xff))))],
    ["an unfinished varint", concat(hex("6b387300"), bytes(0x0a, 0xff, 0xff))],
  ])("refuses %s with 400", (_, body) => {
    const run = () => decodeProtobuf(body);
    expect(run).toThrow(expect.toSatisfy((error) => isStatusError(error, "BadRequest")) as Error);
  });

  it("gives back every ConfigMap", () => {
    const strings = fc.dictionary(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), { minKeys: 1 });
    fc.assert(
      fc.property(strings, fc.integer({ min: 1 }), (data, generation) => {
        const entries = Object.entries(data).map(([key, value]) => message(2, text(1, key), text(2, value)));
        const body = envelope("v1", "ConfigMap", message(1, int(7, generation)), ...entries);
        expect(Object.entries(decodeProtobuf(body)["data"] as object)).toEqual(Object.entries(data));
        expect(decodeProtobuf(body)["metadata"]).toEqual({ generation });
      }),
      { seed: 17 },
    );
  });

  it("never fails but with 400", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.constantFrom("Pod", "Service", "Event"), (content, kind) => {
        try {
          decodeProtobuf(envelope("v1", kind, content));
        } catch (error) {
          expect(isStatusError(error, "BadRequest")).toBe(true);
        }
      }),
      { seed: 18 },
    );
  });
});

describe("isProtobuf", () => {
  it("looks at the first four bytes", () => {
    expect([hex("6b387300"), hex("6b3873"), new TextEncoder().encode("{}")].map(isProtobuf)).toEqual([
      true,
      false,
      false,
    ]);
  });
});
