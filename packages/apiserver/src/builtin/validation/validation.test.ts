import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import type { HookContext, ResourceDefinition } from "../../model/types.ts";
import { builtinDefinitions } from "../definitions.ts";

const definitions = builtinDefinitions();
const definitionOf = (resource: string): ResourceDefinition => {
  const found = definitions.find(({ group, plural }) => `${group}/${plural}` === resource);
  if (found === undefined) {
    throw new Error(`no definition of ${resource}`);
  }
  return found;
};

const now = Date.parse("2026-01-01T00:00:00Z");
const contextWith = (others: readonly KubeObject[] = []): HookContext => ({
  user: { name: "alice", groups: ["devs"] },
  now,
  random: { next: () => 0, bytes: (length) => new Uint8Array(length) },
  dryRun: false,
  warn: () => undefined,
  store: { peekAll: () => others } as unknown as HookContext["store"],
});

type Fields = Readonly<Record<string, unknown>>;
const make = (fields: Fields, metadata: Fields = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Thing",
  metadata: { name: "n", namespace: "ns", ...metadata },
  ...fields,
});

/** Defaults and preparation as the pipeline does them. */
const created = async (resource: string, fields: Fields, others: readonly KubeObject[] = []): Promise<KubeObject> => {
  const { applyDefaults, strategy } = definitionOf(resource);
  const object = make(fields);
  const defaulted = applyDefaults?.(object) ?? object;
  return (await strategy.prepareForCreate?.(defaulted, contextWith(others))) ?? defaulted;
};
const causesOf = (resource: string, object: KubeObject): readonly string[] =>
  (definitionOf(resource).strategy.validate?.(object, contextWith()) ?? []).map(
    ({ reason, field }) => `${reason} ${field}`,
  );
/** `old` is as it was stored, `object` gets the defaults that decoding adds. */
const updateCausesOf = (resource: string, object: KubeObject, old: KubeObject): readonly string[] => {
  const { applyDefaults, strategy } = definitionOf(resource);
  const causes = strategy.validateUpdate?.(applyDefaults?.(object) ?? object, old, contextWith(), "") ?? [];
  return causes.map(({ reason, field }) => `${reason} ${field}`);
};

const podSpec = { containers: [{ name: "c", image: "i:1" }] };
const template = { metadata: { labels: { a: "b" } }, spec: podSpec };
const selector = { matchLabels: { a: "b" } };
const tls = "kubernetes.io/tls";
const webhook = {
  name: "a.b.c",
  sideEffects: "None",
  clientConfig: { url: "https://localhost/x" },
  admissionReviewVersions: ["v1"],
};

describe("validation of new objects", () => {
  const cases: readonly [resource: string, what: string, fields: Fields, causes: readonly string[]][] = [
    ["/configmaps", "fine", { data: { a: "1" } }, []],
    ["/configmaps", "a bad key", { data: { "a b": "1" } }, ["FieldValueInvalid data[a b]"]],
    ["/configmaps", "a key twice", { data: { a: "1" }, binaryData: { a: "MQ==" } }, ["FieldValueInvalid data[a]"]],
    ["/configmaps", "too much", { data: { a: "x".repeat(1_048_577) } }, ["FieldValueTooLong "]],
    ["/secrets", "fine", { data: { a: "MQ==" } }, []],
    ["/secrets", "of a type with a name that objects inherit", { type: "toString", data: { a: "MQ==" } }, []],
    ["/secrets", "too much", { data: { a: Buffer.alloc(1_048_577).toString("base64") } }, ["FieldValueTooLong data"]],
    [
      "/secrets",
      "TLS without keys",
      { type: tls },
      ["FieldValueRequired data[tls.crt]", "FieldValueRequired data[tls.key]"],
    ],
    ["/secrets", "TLS", { type: tls, stringData: { "tls.crt": "", "tls.key": "" } }, []],
    [
      "/secrets",
      "a token of nobody",
      { type: "kubernetes.io/service-account-token" },
      ["FieldValueRequired metadata.annotations[kubernetes.io/service-account.name]"],
    ],
    ["/services", "no ports", {}, ["FieldValueRequired spec.ports"]],
    ["/services", "headless without ports", { spec: { clusterIP: "None" } }, []],
    ["/services", "an alias", { spec: { type: "ExternalName" } }, ["FieldValueRequired spec.externalName"]],
    [
      "/services",
      "a bad port",
      { spec: { ports: [{ port: 0 }] } },
      ["FieldValueInvalid spec.ports[0].port", "FieldValueInvalid spec.ports[0].targetPort"],
    ],
    [
      "/services",
      "two nameless ports",
      { spec: { ports: [{ port: 1 }, { port: 2 }] } },
      ["FieldValueRequired spec.ports[0].name", "FieldValueRequired spec.ports[1].name"],
    ],
    [
      "/services",
      "an unknown type",
      { spec: { type: "Foo", ports: [{ port: 1 }] } },
      ["FieldValueNotSupported spec.type"],
    ],
    [
      "/nodes",
      "a taint twice",
      {
        spec: {
          taints: [
            { key: "a", effect: "NoExecute" },
            { key: "a", effect: "NoExecute" },
          ],
        },
      },
      ["FieldValueDuplicate metadata.taints[1]"],
    ],
    [
      "/nodes",
      "a bad taint",
      { spec: { taints: [{ key: "a", effect: "Foo" }, { effect: "NoExecute" }] } },
      ["FieldValueNotSupported metadata.taints[0].effect", "FieldValueRequired spec.taints[1].key"],
    ],
    ["/pods", "no containers", { spec: {} }, ["FieldValueRequired spec.containers"]],
    [
      "/pods",
      "no image and no name",
      { spec: { containers: [{}] } },
      ["FieldValueRequired spec.containers[0].image", "FieldValueRequired spec.containers[0].name"],
    ],
    [
      "/pods",
      "a name twice",
      { spec: { ...podSpec, initContainers: podSpec.containers } },
      ["FieldValueDuplicate spec.initContainers[0].name"],
    ],
    [
      "/pods",
      "a mount of nothing",
      { spec: { containers: [{ name: "c", image: "i", volumeMounts: [{ name: "v", mountPath: "/" }] }] } },
      ["FieldValueNotFound spec.containers[0].volumeMounts[0].name"],
    ],
    [
      "coordination.k8s.io/leases",
      "no duration",
      { spec: { leaseDurationSeconds: 0 } },
      ["FieldValueInvalid spec.leaseDurationSeconds"],
    ],
    [
      "policy/poddisruptionbudgets",
      "both limits",
      { spec: { selector, minAvailable: 1, maxUnavailable: "10%" } },
      ["FieldValueInvalid spec"],
    ],
    [
      "policy/poddisruptionbudgets",
      "over 100%",
      { spec: { selector, minAvailable: "101%" } },
      ["FieldValueInvalid spec.minAvailable"],
    ],
    [
      "rbac.authorization.k8s.io/roles",
      "an empty rule",
      { rules: [{ resources: ["pods"] }] },
      ["FieldValueRequired rules[0].apiGroups", "FieldValueRequired rules[0].verbs"],
    ],
    [
      "rbac.authorization.k8s.io/roles",
      "a path",
      { rules: [{ verbs: ["get"], nonResourceURLs: ["/x"] }] },
      ["FieldValueInvalid rules[0].nonResourceURLs"],
    ],
    ["rbac.authorization.k8s.io/clusterroles", "a path", { rules: [{ verbs: ["get"], nonResourceURLs: ["/x"] }] }, []],
    [
      "rbac.authorization.k8s.io/clusterrolebindings",
      "an account of nowhere",
      { roleRef: { kind: "ClusterRole", name: "r" }, subjects: [{ kind: "ServiceAccount", name: "s" }] },
      ["FieldValueRequired subjects[0].namespace"],
    ],
    [
      "rbac.authorization.k8s.io/clusterrolebindings",
      "a Role",
      { roleRef: { kind: "Role", name: "r" } },
      ["FieldValueNotSupported roleRef.kind"],
    ],
    ["rbac.authorization.k8s.io/rolebindings", "no roleRef", {}, ["FieldValueRequired roleRef"]],
    ["apps/deployments", "fine", { spec: { selector, template } }, []],
    [
      "apps/deployments",
      "nothing",
      {},
      [
        "FieldValueInvalid spec.template.metadata.labels",
        "FieldValueRequired spec.selector",
        "FieldValueRequired spec.template",
      ],
    ],
    [
      "apps/deployments",
      "labels that do not match",
      { spec: { selector, template: { spec: podSpec } } },
      ["FieldValueInvalid spec.template.metadata.labels"],
    ],
    [
      "apps/deployments",
      "pods that end",
      { spec: { selector, template: { ...template, spec: { ...podSpec, restartPolicy: "Never" } } } },
      ["FieldValueNotSupported spec.template.spec.restartPolicy"],
    ],
    [
      "apps/deployments",
      "a negative number",
      { spec: { selector, template, replicas: -1 } },
      ["FieldValueInvalid spec.replicas"],
    ],
    [
      "admissionregistration.k8s.io/validatingwebhookconfigurations",
      "four mistakes",
      { webhooks: [{ name: "nodots", sideEffects: "Some" }] },
      [
        "FieldValueInvalid webhooks[0].name",
        "FieldValueNotSupported webhooks[0].sideEffects",
        "FieldValueRequired webhooks[0].admissionReviewVersions",
        "FieldValueRequired webhooks[0].clientConfig",
      ],
    ],
    ["admissionregistration.k8s.io/mutatingwebhookconfigurations", "fine", { webhooks: [webhook] }, []],
    [
      "admissionregistration.k8s.io/mutatingwebhookconfigurations",
      "an http URL and a long timeout",
      { webhooks: [{ ...webhook, clientConfig: { url: "http://x" }, timeoutSeconds: 31 }] },
      ["FieldValueInvalid webhooks[0].clientConfig.url", "FieldValueInvalid webhooks[0].timeoutSeconds"],
    ],
    [
      "admissionregistration.k8s.io/mutatingwebhookconfigurations",
      "a name twice and a condition that is none",
      { webhooks: [webhook, { ...webhook, matchConditions: [{ name: "c", expression: "object +" }] }] },
      ["FieldValueDuplicate webhooks[1].name", "FieldValueInvalid webhooks[1].matchConditions[0].expression"],
    ],
    [
      "admissionregistration.k8s.io/validatingadmissionpolicies",
      "expressions that do not compile",
      {
        spec: {
          matchConstraints: { resourceRules: [{}] },
          variables: [{ name: "v", expression: "none" }],
          validations: [{ expression: "'text'", messageExpression: "1" }],
        },
      },
      [
        "FieldValueInvalid spec.validations[0].expression",
        "FieldValueInvalid spec.validations[0].messageExpression",
        "FieldValueInvalid spec.variables[0].expression",
      ],
    ],
    [
      "admissionregistration.k8s.io/validatingadmissionpolicybindings",
      "no actions",
      { spec: { policyName: "p" } },
      ["FieldValueRequired spec.validationActions"],
    ],
    ["discovery.k8s.io/endpointslices", "no family", { endpoints: [] }, ["FieldValueRequired addressType"]],
    [
      "/events",
      "another namespace",
      { involvedObject: { namespace: "other" } },
      ["FieldValueInvalid involvedObject.namespace"],
    ],
    ["/events", "fine", { involvedObject: { namespace: "ns" } }, []],
    [
      "events.k8s.io/events",
      "no time",
      { regarding: { namespace: "ns" }, reportingController: "c", reportingInstance: "i", action: "a", reason: "r" },
      ["FieldValueRequired eventTime"],
    ],
  ];
  it.each(cases)("%s: %s", async (resource, _, fields, causes) => {
    expect(causesOf(resource, await created(resource, fields)).toSorted()).toEqual(causes);
  });
});

describe("validation of updates", () => {
  const running = { ...podSpec, nodeName: "node", tolerations: [{ key: "a" }] };
  const cases: readonly [resource: string, what: string, old: Fields, changes: Fields, causes: readonly string[]][] = [
    ["/secrets", "another type", { type: "a" }, { type: "b" }, ["FieldValueInvalid type"]],
    [
      "/secrets",
      "immutable data",
      { immutable: true, data: { a: "MQ==" } },
      { data: { a: "Mg==" } },
      ["FieldValueForbidden data"],
    ],
    ["/configmaps", "immutable no more", { immutable: true }, { immutable: false }, ["FieldValueForbidden immutable"]],
    ["/nodes", "providerID set", { spec: {} }, { spec: { providerID: "a://b" } }, []],
    [
      "/nodes",
      "providerID changed",
      { spec: { providerID: "a://b" } },
      { spec: { providerID: "a://c" } },
      ["FieldValueForbidden spec.providerID"],
    ],
    [
      "/services",
      "another address",
      { spec: { clusterIP: "10.0.0.5", ports: [{ port: 1 }] } },
      { spec: { clusterIP: "10.0.0.6", ports: [{ port: 1 }] } },
      ["FieldValueInvalid spec.clusterIPs[0]"],
    ],
    [
      "/pods",
      "another node",
      { spec: running },
      { spec: { ...running, nodeName: "other" } },
      ["FieldValueForbidden spec"],
    ],
    [
      "/pods",
      "another image",
      { spec: running },
      { spec: { ...running, containers: [{ name: "c", image: "i:2" }] } },
      [],
    ],
    [
      "/pods",
      "one toleration more",
      { spec: running },
      { spec: { ...running, tolerations: [{ key: "a" }, { key: "b" }] } },
      [],
    ],
    [
      "/pods",
      "one toleration less",
      { spec: running },
      { spec: { ...running, tolerations: [] } },
      ["FieldValueForbidden spec.tolerations"],
    ],
    [
      "apps/deployments",
      "another selector",
      { spec: { selector, template } },
      { spec: { selector: { matchLabels: { a: "c" } }, template } },
      ["FieldValueInvalid spec.selector", "FieldValueInvalid spec.template.metadata.labels"],
    ],
    [
      "apps/statefulsets",
      "another service",
      { spec: { selector, template, serviceName: "a" } },
      { spec: { selector, template, serviceName: "b" } },
      ["FieldValueForbidden spec"],
    ],
    [
      "apps/statefulsets",
      "other replicas",
      { spec: { selector, template, replicas: 1 } },
      { spec: { selector, template, replicas: 2 } },
      [],
    ],
    [
      "rbac.authorization.k8s.io/rolebindings",
      "another role",
      { roleRef: { kind: "Role", name: "a" } },
      { roleRef: { kind: "Role", name: "b" } },
      ["FieldValueInvalid roleRef"],
    ],
    [
      "discovery.k8s.io/endpointslices",
      "another family",
      { addressType: "IPv4", endpoints: [] },
      { addressType: "IPv6" },
      ["FieldValueInvalid addressType"],
    ],
    ["scheduling.k8s.io/priorityclasses", "another value", { value: 1 }, { value: 2 }, ["FieldValueForbidden value"]],
  ];
  it.each(cases)("%s: %s", (resource, _, old, changes, causes) => {
    expect(updateCausesOf(resource, make({ ...old, ...changes }), make(old)).toSorted()).toEqual(causes);
  });

  const resources = { limits: { cpu: "1000m" } };
  const measured = { containers: [{ name: "c", image: "i:1", resources }], restartPolicy: "Never" };
  const labels = { "job-name": "n" };
  it.each([
    ["/pods", { spec: measured }],
    [
      "batch/jobs",
      {
        spec: {
          selector: { matchLabels: labels },
          manualSelector: true,
          template: { metadata: { labels }, spec: measured },
        },
      },
    ],
    [
      "/persistentvolumeclaims",
      { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } } },
    ],
  ] as const)("%s: what was stored before its kind had these defaults", (resource, fields) => {
    expect(updateCausesOf(resource, make(fields, { labels: { a: "b" } }), make(fields))).toEqual([]);
  });
});
