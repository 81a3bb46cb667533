const refused = "refused";

/** How a value that a request spells like this is stored: JSON text, `undefined` when the member is gone, or refused. */
type Outcome = string | undefined;

/**
 * `json`: of a new or a replacing object, of a merge and a JSON patch. `loose`: of an object in YAML and of a strategic patch, which read
 * numbers before they look at types. `applied`: of server-side apply. Each is as the one before unless it says otherwise.
 */
export type TypedValueCase = readonly [written: string, json: Outcome, loose?: Outcome, applied?: Outcome];

/** A field of one type, and what it makes of values. */
export interface TypedField {
  readonly api: string;
  readonly plural: string;
  readonly object: object;
  /** Where the value stands. */
  readonly path: readonly (string | number)[];
  readonly cases: readonly TypedValueCase[];
}

const labels = { a: "b" };
const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
  },
};
const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", spec: {} };
const secret = { apiVersion: "v1", kind: "Secret" };
const leases = { api: "/apis/coordination.k8s.io/v1", plural: "leases", object: lease };
const deployments = { api: "/apis/apps/v1", plural: "deployments", object: deployment };
const pod = ["spec", "template", "spec"];
const container = [...pod, "containers", 0];

const same = (...values: readonly string[]): readonly TypedValueCase[] => values.map((value) => [value, value]);
const none = (...values: readonly string[]): readonly TypedValueCase[] => values.map((value) => [value, refused]);

/** Of integers of 32 bits; larger ones are refused here by strategic patches and apply as well, which there wrap them. */
const wholeNumbers: readonly TypedValueCase[] = [
  ...same("2", "1000"),
  ["2.0", refused, "2"],
  ["1e3", refused, "1000"],
  ["20e-1", refused, "2"],
  ...none("1.5", "15e-1", '"5"', '""', "true", "[]", "{}"),
];

export const typedFields: Readonly<Record<string, TypedField>> = {
  text: {
    api: "/api/v1",
    plural: "configmaps",
    object: { apiVersion: "v1", kind: "ConfigMap" },
    path: ["data", "k"],
    cases: [...same('"x"', '"2.0"', '""'), ...none("5", "1.5", "true", "[]", "{}")],
  },
  "text with a default": {
    api: "/api/v1",
    plural: "secrets",
    object: secret,
    path: ["type"],
    cases: [['"Opaque"', '"Opaque"'], ["null", '"Opaque"'], ['""', '"Opaque"'], ...none("5", "true", "[]", "{}")],
  },
  flag: { ...deployments, path: ["spec", "paused"], cases: [...same("true"), ...none('"true"', "1", "0", "[]", "{}")] },
  "whole number": { ...deployments, path: ["spec", "replicas"], cases: wholeNumbers },
  "whole number of a Lease": { ...leases, path: ["spec", "leaseDurationSeconds"], cases: wholeNumbers },
  "long whole number": {
    ...deployments,
    path: [...pod, "terminationGracePeriodSeconds"],
    cases: [
      ...wholeNumbers,
      ...same("5000000000", "9007199254740993", "9223372036854775807"),
      ["1e18", refused, "1000000000000000000"],
    ],
  },
  "number or text": {
    ...deployments,
    path: ["spec", "strategy", "rollingUpdate", "maxSurge"],
    cases: [
      ...same("2", '"25%"'),
      ["2.0", refused, "2"],
      ["1e3", refused, "1000"],
      ...none("1.5", "2147483648", "-2147483649", "9223372036854775808", "true", "[]", "{}"),
    ],
  },
  bytes: {
    api: "/api/v1",
    plural: "secrets",
    object: secret,
    path: ["data", "k"],
    cases: [
      ...same('"aGVsbG8="', '""'),
      ...['"aGVs\\nbG8=\\n"', '"aGVs\\r\\nbG8="', '"aGVsbG8=\\n\\n"', '"aGVsbG9="'].map(
        (text) => [text, '"aGVsbG8="'] as const,
      ),
      ['"\\n"', '""'],
      ["[]", '""', '""', refused],
      ["[104,105]", '"aGk="', '"aGk="', refused],
      ...none('"aGVs bG8="', '"aGVs\\tbG8="', '"aGVsbG8"', '"aGVsbG8=="', '"aGVs=bG8="', '"_-8="', '"not base64"'),
      ...none("5", "true", "{}", "[1.5]", '["a"]'),
    ],
  },
  time: {
    api: "/api/v1",
    plural: "events",
    object: { apiVersion: "v1", kind: "Event", involvedObject: {} },
    path: ["firstTimestamp"],
    cases: [
      ...["", ".1", ".123456", ".1234567", ",5"].map(
        (fraction) => [`"2024-03-04T05:06:07${fraction}Z"`, '"2024-03-04T05:06:07Z"'] as const,
      ),
      ['"2024-03-04T05:06:07+02:00"', '"2024-03-04T03:06:07Z"'],
      ['"2024-03-04T01:06:07.5+02:30"', '"2024-03-03T22:36:07Z"'],
      ['"2024-03-04T05:06:07-00:00"', '"2024-03-04T05:06:07Z"'],
      ['"2024-03-04T5:06:07Z"', '"2024-03-04T05:06:07Z"'],
      ...none('"2024-03-04t05:06:07z"', '"2024-03-04T24:00:00Z"', '"2024-02-30T05:06:07Z"', '"2024-03-04T05:06:60Z"'),
      ...none('"2024-03-04"', '"2024-03-04 05:06:07Z"', '"2024-03-04T05:06:07+25:00"', '"20240-03-04T05:06:07Z"'),
      ...none('"2024-03-04T05:06:07"', '"2024-03-04T05:06:07+0200"', '""', '"x"', "5", "true", "{}"),
    ],
  },
  "time of a Lease": {
    ...leases,
    path: ["spec", "renewTime"],
    cases: [
      ...same('"2024-03-04T05:06:07.123456Z"', '"2024-03-04T05:06:07.000000Z"'),
      ['"2024-03-04T05:06:07.123456+02:00"', '"2024-03-04T03:06:07.123456Z"'],
      ['"2024-03-04T05:06:07,123456Z"', '"2024-03-04T05:06:07.123456Z"'],
      ['"0001-01-01T00:00:00.000000Z"', undefined],
      ...none('"2024-03-04T05:06:07Z"', '"2024-03-04T05:06:07.1Z"', '"2024-03-04T05:06:07.1234567Z"'),
      ...none('"2024-02-30T05:06:07.123456Z"', '"2024-03-04T05:06:07.123456"', '""', '"x"', "5", "true", "{}"),
    ],
  },
  quantity: {
    ...deployments,
    path: [...container, "resources", "limits", "cpu"],
    cases: [
      ...same('"1"', '"500m"', '"1Ki"', '"1e3"', '"1Ei"'),
      ['"1000m"', '"1"'],
      ['"0.5"', '"500m"'],
      ['".5"', '"500m"'],
      ['" 1 "', '"1"'],
      ['"."', '"0"'],
      ["1", '"1"'],
      ["2.0", '"2"'],
      ["1.5", '"1500m"'],
      ["5000000000", '"5G"'],
      ['"1n"', '"1m"'],
      ...none('"1x"', '"1.5.5"', '""', '"1e"', '"1KI"', '"1_0"', "true", "[]", "{}"),
    ],
  },
  "quantity of a field": {
    ...deployments,
    object: {
      ...deployment,
      spec: {
        ...deployment.spec,
        template: {
          metadata: { labels },
          spec: { containers: [{ name: "c", image: "i" }], volumes: [{ name: "v", emptyDir: {} }] },
        },
      },
    },
    path: [...pod, "volumes", 0, "emptyDir", "sizeLimit"],
    cases: [['"1024Ki"', '"1Mi"'], ["1.5", '"1500m"'], ...none('"1x"', '""', "true")],
  },
  list: {
    ...deployments,
    path: [...container, "args"],
    cases: [...same('["a"]'), ["[null]", '[""]'], ...none("[5]", '"a"', "{}", '{"a":"b"}', "5")],
  },
  map: {
    ...deployments,
    path: [...pod, "nodeSelector"],
    cases: [...same('{"a":"b"}'), ...none('{"a":5}', '{"a":true}', '"a"', "[]", '["a"]', "5")],
  },
  object: {
    ...deployments,
    path: [...pod, "securityContext"],
    cases: [
      ...same("{}", '{"runAsUser":2}'),
      ['{"runAsUser":2.0}', refused, '{"runAsUser":2}'],
      ...none('"a"', "[]", "5", '{"runAsUser":1.5}', '{"runAsUser":"1"}'),
    ],
  },
  "list of objects": {
    ...deployments,
    path: [...container, "env"],
    cases: [
      ...same('[{"name":"A","value":"b"}]'),
      ...none('[{"name":"A","value":5}]', '[{"name":5}]', '["a"]', '{"A":"b"}', "[[]]"),
    ],
  },
};
