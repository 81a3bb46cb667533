import { expect, it } from "vitest";
import type { Answer } from "./api.ts";
import { eventually, expectCode, expectStatus } from "./expectations.ts";
import { configMap, configMaps, deployment, deployments } from "./objects.ts";
import type { Section } from "./suite.ts";

const registration = "/apis/admissionregistration.k8s.io/v1";
const policies = `${registration}/validatingadmissionpolicies`;
const bindings = `${registration}/validatingadmissionpolicybindings`;

const resourceRules = [
  { operations: ["CREATE", "UPDATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] },
];

/** ValidatingAdmissionPolicy. */
export const admissionPolicies: Section = (suite) => {
  let markers = 0;
  /** Resolves when what was written is in effect: when a policy that was written later is. */
  const settled = async (): Promise<void> => {
    const { api } = suite();
    const metadata = { name: `marker-${++markers}` };
    const matchConditions = [{ name: "marker", expression: `object.metadata.name == '${metadata.name}'` }];
    const spec = { matchConstraints: { resourceRules }, matchConditions, validations: [{ expression: "false" }] };
    expectCode(await api.post(policies, { metadata, spec }), 201);
    const bound = { policyName: metadata.name, validationActions: ["Deny"] };
    expectCode(await api.post(bindings, { metadata, spec: bound }), 201);
    await eventually(async () => {
      const answer = await api.post(configMaps("default"), configMap(metadata.name), { query: { dryRun: "All" } });
      expectCode(answer, 422);
    });
    await api.delete(`${bindings}/${metadata.name}`);
    await api.delete(`${policies}/${metadata.name}`);
  };

  /** Runs a case while a policy with one binding is in use in the namespace of the section. */
  const during = async (spec: object, binding: object, run: () => Promise<void>): Promise<void> => {
    const { api, namespace } = suite();
    const metadata = { name: "conf-policy" };
    const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": namespace } };
    const bound = { policyName: "conf-policy", matchResources: { namespaceSelector }, validationActions: ["Deny"] };
    try {
      expectCode(await api.post(policies, { metadata, spec: { matchConstraints: { resourceRules }, ...spec } }), 201);
      expectCode(await api.post(bindings, { metadata, spec: { ...bound, ...binding } }), 201);
      await settled();
      await run();
    } finally {
      await api.delete(`${bindings}/conf-policy`);
      await api.delete(`${policies}/conf-policy`);
      await settled();
    }
  };
  const create = (name: string, data: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    suite().api.post(configMaps(suite().namespace), configMap(name, data));
  const hasA = { expression: "has(object.data) && 'a' in object.data" };
  const denied = "ValidatingAdmissionPolicy 'conf-policy' with binding 'conf-policy' denied request";

  it("fills a policy with defaults and needs validations and rules", async () => {
    const { api } = suite();
    await during({ validations: [hasA] }, {}, async () => {
      const { body } = await api.get(`${policies}/conf-policy`);
      expect(body.spec).toMatchObject({
        failurePolicy: "Fail",
        matchConstraints: { matchPolicy: "Equivalent", namespaceSelector: {}, resourceRules: [{ scope: "*" }] },
      });
    });
    expectStatus(await api.post(policies, { metadata: { name: "x" }, spec: {} }), 422, {
      someCauses: ["FieldValueRequired spec.validations", "FieldValueRequired spec.matchConstraints"],
    });
  });

  it("refuses what a validation refuses, and nothing else", async () => {
    await during({ validations: [hasA] }, {}, async () => {
      expectStatus(await create("p-refused"), 422, {
        reason: "Invalid",
        message: `configmaps "p-refused" is forbidden: ${denied}: failed expression: ${hasA.expression}`,
      });
      expectCode(await create("p-allowed", { a: "1" }), 201);
      const { api, namespace } = suite();
      expectStatus(await api.mergePatch(`${configMaps(namespace)}/p-allowed`, { data: null }), 422);
      expectCode(await api.post(deployments(namespace), deployment("p-other")), 201);
    });
    expectCode(await create("p-refused"), 201);
  });

  it.each<[string, object, number, object]>([
    ["a message", { message: "needs a" }, 422, { reason: "Invalid", message: /denied request: needs a$/ }],
    ["a reason", { reason: "Forbidden" }, 403, { reason: "Forbidden" }],
    [
      "an expression for the message",
      { message: "m", messageExpression: "'in ' + namespaceObject.metadata.name + ' by ' + request.userInfo.username" },
      422,
      { message: /denied request: in conf-\S+ by admin$/ },
    ],
  ])("says %s", async (_, validation, code, expected) => {
    await during({ validations: [{ ...hasA, ...validation }] }, {}, async () => {
      expectStatus(await create("p-said"), code, expected);
    });
  });

  it("warns when that is its action", async () => {
    await during({ validations: [{ ...hasA, message: "needs a" }] }, { validationActions: ["Warn"] }, async () => {
      const answer = await create("p-warned");
      expectCode(answer, 201);
      expect(answer.warnings).toEqual([
        "Validation failed for ValidatingAdmissionPolicy 'conf-policy' with binding 'conf-policy': needs a",
      ]);
    });
  });

  it("computes variables and keeps to its conditions", async () => {
    const spec = {
      matchConditions: [{ name: "not-system", expression: "!object.metadata.name.startsWith('system-')" }],
      variables: [
        { name: "keys", expression: "has(object.data) ? object.data.size() : 0" },
        { name: "enough", expression: "variables.keys >= 2" },
      ],
      validations: [{ expression: "variables.enough" }],
    };
    await during(spec, {}, async () => {
      expectStatus(await create("p-few", { a: "1" }), 422);
      expectCode(await create("p-enough", { a: "1", b: "2" }), 201);
      expectCode(await create("system-p"), 201);
    });
  });

  it("reads parameters", async () => {
    const { api, namespace } = suite();
    expectCode(await create("p-limits", { max: "2" }), 201);
    const spec = {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      validations: [{ expression: "!has(object.data) || object.data.size() <= int(params.data.max)" }],
    };
    const paramRef = (name: string, parameterNotFoundAction: string) => ({
      paramRef: { name, namespace, parameterNotFoundAction },
    });
    await during(spec, paramRef("p-limits", "Deny"), async () => {
      expectCode(await create("p-within", { a: "1", b: "2" }), 201);
      expectStatus(await create("p-beyond", { a: "1", b: "2", c: "3" }), 422);
    });
    await during(spec, paramRef("p-none", "Deny"), async () => {
      expectStatus(await create("p-no-params"), 422, { message: /failed to configure binding: no params found/ });
    });
    await during(spec, paramRef("p-none", "Allow"), async () => expectCode(await create("p-no-params"), 201));
    expectCode(await api.delete(`${configMaps(namespace)}/p-limits`), 200);
  });

  it("treats an expression that fails by its failure policy", async () => {
    const validations = [{ expression: "object.spec.none == 1" }];
    await during({ validations }, {}, async () => {
      expectStatus(await create("p-error"), 422, { message: /resulted in error: no such key/ });
    });
    await during({ validations, failurePolicy: "Ignore" }, {}, async () => expectCode(await create("p-error"), 201));
  });
};
