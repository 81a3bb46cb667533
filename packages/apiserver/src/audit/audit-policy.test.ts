import { describe, expect, it } from "vitest";
import { requestInfo } from "../http/request-info.ts";
import { auditDecision } from "./audit-decision.ts";
import { type AuditRule, defaultAuditPolicy, readAuditPolicy } from "./audit-policy.ts";

const alice = { name: "alice", groups: ["devs"] };
const infoOf = (request: string) => {
  const [method = "", path = ""] = request.split(" ");
  return requestInfo(method, new URL(`https://server${path}`));
};

const levelOf = (rules: readonly AuditRule[], request: string) =>
  auditDecision({ rules }, alice, infoOf(request)).level;

describe("an audit policy", () => {
  const pods = "GET /api/v1/namespaces/a/pods/p";
  it.each<[Omit<AuditRule, "level">, string, boolean]>([
    [{}, pods, true],
    [{ users: ["alice"] }, pods, true],
    [{ users: ["bob"] }, pods, false],
    [{ userGroups: ["ops", "devs"] }, pods, true],
    [{ userGroups: ["ops"] }, pods, false],
    [{ verbs: ["get"] }, pods, true],
    [{ verbs: ["list"] }, pods, false],
    [{ namespaces: ["a"] }, pods, true],
    [{ namespaces: ["b"] }, pods, false],
    [{ namespaces: [""] }, "GET /api/v1/nodes", true],
    [{ namespaces: ["a"] }, "GET /healthz", false],
    [{ resources: [{ group: "" }] }, pods, true],
    [{ resources: [{ group: "apps" }] }, pods, false],
    [{ resources: [{ group: "", resources: ["pods"] }] }, pods, true],
    [{ resources: [{ group: "", resources: ["pods"] }] }, `${pods}/status`, false],
    [{ resources: [{ group: "", resources: ["pods/status"] }] }, `${pods}/status`, true],
    [{ resources: [{ group: "", resources: ["*/status"] }] }, `${pods}/status`, true],
    [{ resources: [{ group: "", resources: ["pods/*"] }] }, `${pods}/status`, true],
    [{ resources: [{ group: "", resources: ["pods/*"] }] }, pods, true],
    [{ resources: [{ group: "", resources: ["*"] }] }, `${pods}/status`, true],
    [{ resources: [{ group: "", resources: ["pods"], resourceNames: ["p"] }] }, pods, true],
    [{ resources: [{ group: "", resources: ["pods"], resourceNames: ["q"] }] }, pods, false],
    [{ nonResourceURLs: ["/healthz*"] }, "GET /healthz/ping", true],
    [{ nonResourceURLs: ["*"] }, "GET /healthz/ping", true],
    [{ nonResourceURLs: ["/healthz"] }, "GET /healthz/ping", false],
    [{ nonResourceURLs: ["*"] }, pods, false],
  ])("%j about %s: %s", (rule, request, isMatch) => {
    expect(levelOf([{ level: "Request", ...rule }], request)).toBe(isMatch ? "Request" : "None");
  });

  it("is decided by the first rule", () =>
    expect(levelOf([{ level: "None", verbs: ["get"] }, { level: "Request" }], pods)).toBe("None"));

  it.each([
    "POST /api/v1/namespaces/a/secrets",
    "POST /api/v1/namespaces/a/serviceaccounts/s/token",
    "POST /apis/authentication.k8s.io/v1/tokenreviews",
  ])("never asks for the contents of %s", (request) =>
    expect(levelOf([{ level: "RequestResponse" }], request)).toBe("Metadata"),
  );

  it("joins stages that are left out", () => {
    const policy = {
      omitStages: ["RequestReceived"],
      omitManagedFields: true,
      rules: [{ level: "Metadata", omitStages: ["Panic"], omitManagedFields: false }],
    } as const;
    const decision = auditDecision(policy, alice, infoOf(pods));
    expect([...decision.omitStages]).toEqual(["RequestReceived", "Panic"]);
    expect(decision.omitManagedFields).toBe(false);
  });

  it("by default has metadata only, and nothing of health checks", () => {
    const level = (request: string) => auditDecision(defaultAuditPolicy, alice, infoOf(request)).level;
    expect([level(pods), level("GET /apis"), level("GET /readyz/ping"), level("GET /version")]).toEqual([
      "Metadata",
      "Metadata",
      "None",
      "None",
    ]);
  });
});

describe("a policy document", () => {
  const head = { apiVersion: "audit.k8s.io/v1", kind: "Policy" };
  it("is taken as it is", () => {
    const policy = { ...head, rules: [{ level: "Metadata", verbs: ["get"] }], omitStages: ["Panic"] };
    expect(readAuditPolicy(policy)).toEqual(policy);
  });

  it.each([
    [null, "the document: must be a mapping"],
    [{ ...head, apiVersion: "v1" }, "apiVersion: must be audit.k8s.io/v1"],
    [{ ...head, kind: "List" }, "kind: must be Policy"],
    [{ ...head }, "rules: must be a list of at least one rule"],
    [{ ...head, rules: [{}] }, "rules[0].level: must be one of None, Metadata"],
    [{ ...head, rules: [{ level: "Metadata", verb: [] }] }, "rules[0].verb: there is no such field"],
    [{ ...head, rules: [{ level: "Metadata", users: "alice" }] }, "rules[0].users: must be a list"],
    [{ ...head, rules: [{ level: "None", omitStages: ["X"] }] }, "rules[0].omitStages[0]: must be one of"],
    [
      { ...head, rules: [{ level: "None", resources: [{ resource: [] }] }] },
      "rules[0].resources[0].resource: there is no",
    ],
    [
      { ...head, rules: [{ level: "None", resources: [{}], nonResourceURLs: ["*"] }] },
      "rules[0].nonResourceURLs: rules cannot be about",
    ],
  ])("%j is refused", (document, message) => {
    expect(() => readAuditPolicy(document)).toThrow(`the audit policy is wrong at ${message}`);
  });
});
