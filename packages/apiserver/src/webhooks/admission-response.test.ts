import { describe, expect, it } from "vitest";
import { denial, readAdmissionResponse } from "./admission-response.ts";

const review = (response: object | undefined, more: object = {}) => ({
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  response,
  ...more,
});
const encoded = Buffer.from('[{"op":"remove","path":"/data"}]').toString("base64");
const allowed = { uid: "u", allowed: true };

describe("the answer of a webhook", () => {
  it("is read", () => {
    const auditAnnotations = { why: "so", odd: 1 };
    const answer = review({ ...allowed, warnings: ["w"], auditAnnotations, patchType: "JSONPatch", patch: encoded });
    expect(readAdmissionResponse(answer, { uid: "u", mutating: true, version: "v1" })).toEqual({
      allowed: true,
      warnings: ["w"],
      auditAnnotations: { why: "so" },
      patch: [{ op: "remove", path: "/data" }],
    });
  });

  it.each<[string, unknown, boolean]>([
    ["not an AdmissionReview", null, true],
    ["not an AdmissionReview", review(allowed, { apiVersion: "admission.k8s.io/v1beta1" }), true],
    ["no response", review(undefined), true],
    ["another uid", review({ ...allowed, uid: "v" }), true],
    ["may not answer with a patch", review({ ...allowed, patchType: "JSONPatch", patch: encoded }), false],
    ["patchType is not JSONPatch", review({ ...allowed, patch: encoded }), true],
    ["no patch", review({ ...allowed, patchType: "JSONPatch" }), true],
  ])("is refused: %s", (why, answer, mutating) => {
    expect(() => readAdmissionResponse(answer, { uid: "u", mutating, version: "v1" })).toThrow(why);
  });
});

describe("the answer of an old webhook", () => {
  it("needs neither kind, uid nor the type of a patch", () => {
    const answer = { response: { allowed: true, patch: encoded } };
    expect(readAdmissionResponse(answer, { uid: "u", mutating: true, version: "v1beta1" })).toMatchObject({
      allowed: true,
      patch: [{ op: "remove", path: "/data" }],
    });
  });
});

describe("a denial", () => {
  it.each<[Parameters<typeof denial>[1], number, string]>([
    [undefined, 400, 'admission webhook "a.b.c" denied the request without explanation'],
    [{ code: 200, message: "m" }, 400, 'admission webhook "a.b.c" denied the request: m'],
    [{ code: 409, reason: "Conflict" }, 409, 'admission webhook "a.b.c" denied the request: Conflict'],
  ])("with status %j", (status, code, message) => {
    expect(denial("a.b.c", status).status).toMatchObject({ code, message });
  });
});
