import { describe, expect, it } from "vitest";
import type { AdmissionVariables, MatchCondition } from "./admission-expressions.ts";
import { compileMatchConditions } from "./admission-expressions.ts";

const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" } };
const variables: AdmissionVariables = {
  object,
  oldObject: null,
  request: { operation: "CREATE", userInfo: { username: "alice" } },
  authorize: ({ verb, resource }) => ({ allowed: verb === "get" && resource === "configmaps" }),
  requestResource: { group: "", resource: "configmaps", namespace: "n" },
};

const compileAll = (...expressions: string[]) => {
  const conditions: MatchCondition[] = expressions.map((expression, index) => ({ name: `c${index}`, expression }));
  return compileMatchConditions(conditions, { scope: "webhook", field: "webhooks[0].matchConditions" });
};

describe("match conditions", () => {
  it.each<[readonly string[], unknown]>([
    [[], { matches: true }],
    [["object.metadata.name != 'y'", "request.operation == 'CREATE'"], { matches: true }],
    [["object.metadata.name != 'x'"], { matches: false }],
    [["object.spec.missing == 1", "request.operation == 'DELETE'"], { matches: false }],
    [["object.spec.missing == 1"], { error: "c0: no such key: spec" }],
    [["oldObject == null"], { matches: true }],
    [["authorizer.group('').resource('configmaps').check('get').allowed()"], { matches: true }],
    [
      ["authorizer.requestResource.check('get').allowed() && !authorizer.requestResource.check('delete').allowed()"],
      { matches: true },
    ],
    [["request.operation"], { error: "c0: the condition is not a boolean" }],
  ])("%j", (expressions, outcome) => {
    expect(compileAll(...expressions).evaluate(variables)).toEqual(outcome);
  });

  it("names the expression that cannot be compiled", () => {
    expect(compileAll("true", "nope == 1", "'text'").causes).toMatchObject([
      { reason: "FieldValueInvalid", field: "webhooks[0].matchConditions[1].expression" },
      { reason: "FieldValueInvalid", field: "webhooks[0].matchConditions[2].expression" },
    ]);
  });
});
