import { describe, expect, it } from "vitest";
import type { RequestInfo } from "../model/types.ts";
import { missingRules, type PolicyRule, ruleAllows } from "./rbac-rules.ts";

const resource = (verb: string, path: string, name = ""): RequestInfo => {
  const [group = "", plural = "", subresource = ""] = path.split("/");
  return { verb, path: "", isResource: true, group, version: "", resource: plural, subresource, namespace: "ns", name };
};

const outside = (path: string): RequestInfo => ({ ...resource("get", "/"), isResource: false, path });

const rule = (more: Partial<PolicyRule>): PolicyRule => ({
  verbs: ["get"],
  apiGroups: ["g"],
  resources: ["things"],
  ...more,
});

describe("ruleAllows", () => {
  it.each<readonly [boolean, PolicyRule, RequestInfo]>([
    [true, rule({}), resource("get", "g/things")],
    [true, rule({}), resource("get", "g/things", "any")],
    [false, rule({}), resource("list", "g/things")],
    [false, rule({}), resource("get", "h/things")],
    [false, rule({}), resource("get", "g/things/status")],
    [true, rule({ resources: ["things/status"] }), resource("get", "g/things/status")],
    [true, rule({ resources: ["*/status"] }), resource("get", "g/others/status")],
    [false, rule({ resources: ["*/status"] }), resource("get", "g/others")],
    [true, rule({ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }), resource("delete", "h/x/y")],
    [true, rule({ resourceNames: ["a"] }), resource("get", "g/things", "a")],
    [false, rule({ resourceNames: ["a"] }), resource("get", "g/things", "b")],
    [false, rule({ resourceNames: ["a"] }), resource("get", "g/things")],
    [false, { verbs: ["get"], nonResourceURLs: ["*"] }, resource("get", "g/things")],
    [true, { verbs: ["get"], nonResourceURLs: ["/healthz/*"] }, outside("/healthz/ping")],
    [false, { verbs: ["get"], nonResourceURLs: ["/healthz"] }, outside("/healthz/ping")],
    [false, rule({ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }), outside("/healthz")],
  ])("%s: %j for %j", (allowed, policy, info) => {
    expect(ruleAllows(policy, info)).toBe(allowed);
  });
});

describe("missingRules", () => {
  it("finds nothing missing where the owner has as much", () => {
    const owned = [rule({ verbs: ["get", "list"] }), { verbs: ["get"], nonResourceURLs: ["/a/*"] }];
    expect(missingRules(owned, [rule({}), rule({ verbs: ["list"], resourceNames: ["x"] })])).toEqual([]);
    expect(missingRules(owned, [{ verbs: ["get"], nonResourceURLs: ["/a/b"] }])).toEqual([]);
    expect(
      missingRules([rule({ verbs: ["*"], apiGroups: ["*"], resources: ["*"] })], [rule({ verbs: ["*"] })]),
    ).toEqual([]);
  });

  it("splits what is missing into single rights", () => {
    const owned = [rule({ resourceNames: ["x"] })];
    expect(missingRules(owned, [rule({ verbs: ["get", "list"], resourceNames: ["x", "y"] })])).toEqual([
      rule({ resourceNames: ["y"] }),
      rule({ verbs: ["list"], resourceNames: ["x"] }),
      rule({ verbs: ["list"], resourceNames: ["y"] }),
    ]);
    expect(missingRules(owned, [rule({})])).toEqual([rule({})]);
    expect(missingRules(owned, [{ verbs: ["get"], nonResourceURLs: ["/a"] }])).toHaveLength(1);
  });
});
