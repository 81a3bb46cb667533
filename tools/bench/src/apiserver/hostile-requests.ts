import { things } from "./hostile-definition.ts";
import {
  apply,
  configMaps,
  crds,
  type HostileRequest,
  jsonPatch,
  list,
  many,
  map,
  merge,
  named,
  patch,
  post,
  strategic,
  thing,
  yaml,
} from "./hostile-request.ts";
import { manyKeysRequests } from "./many-keys-requests.ts";

const yamlMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y}\ndata:\n";
const yamlRequests: readonly HostileRequest[] = [
  post("YAML, open brackets", configMaps, many("["), yaml),
  post("YAML, empty lists", configMaps, `[${many("[],")}]`, yaml),
  post("YAML, empty pairs", configMaps, `[${many(":,")}]`, yaml),
  post("YAML, empty pairs, as many as are read", configMaps, `[${many(":,", 79_000)}]`, yaml),
  post("YAML, keys", configMaps, yamlMap + Array.from({ length: 250_000 }, (_, i) => `  k${i}: a\n`).join(""), yaml),
  post(
    "YAML, keys, as many as are read",
    configMaps,
    yamlMap + Array.from({ length: 39_000 }, (_, i) => `  k${i}: a\n`).join(""),
    yaml,
  ),
  post("YAML, items", configMaps, many("- a\n"), yaml),
  post("YAML, aliases", configMaps, `- &a a\n${many("- *a\n")}`, yaml),
  post("YAML, documents", configMaps, many("---\n"), yaml),
  post("YAML, escapes", configMaps, `${yamlMap}  a: "${many("\\x41")}"\n`, yaml),
  post("YAML, apostrophes", configMaps, `${yamlMap}  a: '${many("''")}'\n`, yaml),
  post("YAML, a comment", configMaps, `${yamlMap}  a: b ${many("#")}\n`, yaml),
  post("YAML, a long number", configMaps, `${yamlMap}  a: ${many("9")}\n`, yaml),
  post("YAML, a long text", configMaps, `${yamlMap}  a: "${many("\\n")}"\n`, yaml),
  patch(
    "YAML, apply",
    `${configMaps}/y?fieldManager=m`,
    apply,
    `${yamlMap}${Array.from({ length: 39_000 }, (_, i) => `  k${i}: a\n`).join("")}`,
  ),
];

const keyed = (count: number, value = "v"): string =>
  `"keyed":[${list(count, (i) => `{"name":"n${i}","value":"${value}"}`)}]`;

const listRequests: readonly HostileRequest[] = [
  post("list with keys, create", things, thing("keyed", keyed(60_000))),
  patch("list with keys, apply", `${named("applied")}?fieldManager=m`, apply, thing("applied", keyed(60_000))),
  patch(
    "list with keys, apply again",
    `${named("applied")}?fieldManager=m`,
    apply,
    thing("applied", keyed(60_000, "w")),
  ),
  patch(
    "list with keys, another applier",
    `${named("applied")}?fieldManager=n&force=true`,
    apply,
    thing("applied", keyed(60_000, "x")),
  ),
  patch("list with keys, merge patch", named("keyed"), merge, `{"spec":{${keyed(60_000, "w")}}}`),
  post("list with keys, as long as it may be, create", things, thing("long", keyed(4_900))),
  patch(
    "list with keys, as long as it may be, apply",
    `${named("long-applied")}?fieldManager=m`,
    apply,
    thing("long-applied", keyed(4_900)),
  ),
  patch(
    "list with keys, as long as it may be, apply again",
    `${named("long-applied")}?fieldManager=m`,
    apply,
    thing("long-applied", keyed(4_900, "w")),
  ),
  patch(
    "list with keys, as long as it may be, another applier",
    `${named("long-applied")}?fieldManager=n&force=true`,
    apply,
    thing("long-applied", keyed(4_900, "x")),
  ),
  patch("list with keys, as long as it may be, merge patch", named("long"), merge, `{"spec":{${keyed(4_900, "w")}}}`),
  post("set, as long as it may be", things, thing("long-set", `"set":[${list(14_900, (i) => `"${i}"`)}]`)),
  post("plain list, as long as it may be", things, thing("plain", `"plain":[${list(99_900, (i) => `"${i}"`)}]`)),
  patch(
    "JSON patch, insertions into it",
    named("plain"),
    jsonPatch,
    `[${list(400, () => `{"op":"add","path":"/spec/plain/0","value":"x"}`)}]`,
  ),
  patch(
    "JSON patch, more insertions into it",
    named("plain"),
    jsonPatch,
    `[${list(10_000, () => `{"op":"add","path":"/spec/plain/0","value":"x"}`)}]`,
  ),
  post(
    "members in a place for them, as many as there may be",
    things,
    thing("many", `"any":{${list(68_000, (i) => `"u${i}":1`)}}`),
  ),
  post("set, too long", things, thing("set", `"set":[${list(200_000, (i) => `"${i}"`)}]`)),
  post("plain list, too long", things, thing("plain", `"plain":[${list(250_000, (i) => `"${i}"`)}]`)),
  post("list under a rule", things, thing("ruled", `"ruled":[${list(90_000, String)}]`)),
  post(
    "list whose items a rule compares",
    things,
    thing("compared", `"compared":[${list(400, (i) => `{"name":"n${i}","size":${i}}`)}]`),
  ),
  post("map of texts", things, thing("texts", `"texts":{${list(200_000, (i) => `"k${i}":"v"`)}}`)),
  post(
    "unknown members",
    things,
    thing(
      "unknown",
      list(250_000, (i) => `"u${i}":1`),
    ),
  ),
  post("unknown members in a place for them", things, thing("any", `"any":{${list(250_000, (i) => `"u${i}":1`)}}`)),
  post("empty lists in lists", things, thing("empty", `"any":{"a":[${list(1_000_000, () => "[]")}]}`)),
  post("a long number", things, thing("long-number", `"any":{"a":${many("9")}}`)),
  post("long numbers", things, thing("long-numbers", `"any":{"a":[${many(`${"9".repeat(300_000)},`)}1]}`)),
  post("deep", things, thing("deep", `"any":{"a":${"[".repeat(990)}${"]".repeat(990)}}`)),
];

const metadataRequests: readonly HostileRequest[] = [
  post(
    "data, as many as there may be",
    configMaps,
    map(
      "data",
      "",
      list(68_000, (i) => `"k${i}":"v"`),
    ),
  ),
  {
    title: "data, as many as there may be, replaced",
    method: "PUT",
    path: `${configMaps}/data`,
    type: "application/json",
    body: map(
      "data",
      "",
      list(68_000, (i) => `"k${i}":"w"`),
    ),
  },
  post(
    "labels, as many as there may be",
    configMaps,
    map("labels", `,"labels":{${list(14_900, (i) => `"l${i}":"v"`)}}`),
  ),
  post(
    "owners, as many as there may be",
    configMaps,
    map(
      "owners",
      `,"ownerReferences":[${list(12_000, (i) => `{"apiVersion":"v1","kind":"Pod","name":"p${i}","uid":"u${i}"}`)}]`,
    ),
  ),
  post("labels", configMaps, map("labels", `,"labels":{${list(100_000, (i) => `"l${i}":"v"`)}}`)),
  post("annotations", configMaps, map("annotations", `,"annotations":{${list(100_000, (i) => `"l${i}":"v"`)}}`)),
  post("finalizers", configMaps, map("finalizers", `,"finalizers":[${list(100_000, (i) => `"a/f${i}"`)}]`)),
  post(
    "owners",
    configMaps,
    map(
      "owners",
      `,"ownerReferences":[${list(25_000, (i) => `{"apiVersion":"v1","kind":"Pod","name":"p${i}","uid":"u${i}"}`)}]`,
    ),
  ),
  post("field owners", configMaps, map("small", "")),
  {
    title: "field owners, set",
    method: "PUT",
    path: `${configMaps}/small`,
    type: "application/json",
    body: map(
      "small",
      `,"managedFields":[${list(20_000, (i) => `{"manager":"m${i}","operation":"Apply","apiVersion":"v1","fieldsV1":{"f:data":{"f:x${i}":{}}}}`)}]`,
    ),
  },
  post(
    "data",
    configMaps,
    map(
      "too-many",
      "",
      list(200_000, (i) => `"k${i}":"v"`),
    ),
  ),
  patch(
    "JSON patch, insertions",
    `${configMaps}/small`,
    jsonPatch,
    `[${list(10_000, (i) => `{"op":"add","path":"/metadata/finalizers${i === 0 ? "" : "/0"}","value":${i === 0 ? "[]" : `"a/b${i}"`}}`)}]`,
  ),
  patch(
    "JSON patch, list of another",
    named("keyed"),
    jsonPatch,
    `[${list(10_000, () => `{"op":"add","path":"/spec/keyed/0","value":{"name":"x"}}`)}]`,
  ),
];

const built = (title: string, path: string, kind: string, apiVersion: string, rest: string): HostileRequest =>
  post(title, path, `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"hostile"},${rest}}`);

const kindRequests: readonly HostileRequest[] = [
  built(
    "Pod, containers, as many as there may be",
    "/api/v1/namespaces/default/pods",
    "Pod",
    "v1",
    `"spec":{"containers":[${list(1_400, (i) => `{"name":"c${i}","image":"i"}`)}]}`,
  ),
  patch(
    "strategic patch, containers",
    "/api/v1/namespaces/default/pods/hostile",
    strategic,
    `{"spec":{"containers":[${list(1_400, (i) => `{"name":"c${i}","image":"j"}`)}]}}`,
  ),
  patch(
    "strategic patch, more containers",
    "/api/v1/namespaces/default/pods/hostile",
    strategic,
    `{"spec":{"containers":[${list(20_000, (i) => `{"name":"c${i}","image":"j"}`)}]}}`,
  ),
  built(
    "Pod, containers",
    "/api/v1/namespaces/default/pods",
    "Pod",
    "v1",
    `"spec":{"containers":[${list(20_000, (i) => `{"name":"c${i}","image":"i"}`)}]}`,
  ),
  built(
    "Pod, environment",
    "/api/v1/namespaces/default/pods",
    "Pod",
    "v1",
    `"spec":{"containers":[{"name":"c","image":"i","env":[${list(60_000, (i) => `{"name":"E${i}","value":"v"}`)}]}]}`,
  ),
  built(
    "Pod, volumes",
    "/api/v1/namespaces/default/pods",
    "Pod",
    "v1",
    `"spec":{"volumes":[${list(40_000, (i) => `{"name":"v${i}","emptyDir":{}}`)}],"containers":[{"name":"c","image":"i","volumeMounts":[${list(20_000, (i) => `{"name":"v${i}","mountPath":"/m${i}"}`)}]}]}`,
  ),
  built(
    "Pod, tolerations",
    "/api/v1/namespaces/default/pods",
    "Pod",
    "v1",
    `"spec":{"tolerations":[${list(50_000, (i) => `{"key":"k${i}","operator":"Exists"}`)}],"containers":[{"name":"c","image":"i"}]}`,
  ),
  built(
    "Service, ports",
    "/api/v1/namespaces/default/services",
    "Service",
    "v1",
    `"spec":{"ports":[${list(30_000, (i) => `{"name":"p${i}","port":${(i % 65_000) + 1}}`)}]}`,
  ),
  built(
    "Role, rules",
    "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles",
    "Role",
    "rbac.authorization.k8s.io/v1",
    `"rules":[${list(40_000, (i) => `{"apiGroups":[""],"resources":["r${i}"],"verbs":["get"]}`)}]`,
  ),
  built(
    "EndpointSlice",
    "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
    "EndpointSlice",
    "discovery.k8s.io/v1",
    `"addressType":"IPv4","endpoints":[${list(60_000, (i) => `{"addresses":["10.0.${(i >> 8) & 255}.${i & 255}"]}`)}]`,
  ),
  built(
    "NetworkPolicy",
    "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies",
    "NetworkPolicy",
    "networking.k8s.io/v1",
    `"spec":{"podSelector":{},"ingress":[${list(50_000, () => `{"from":[{"podSelector":{}}]}`)}]}`,
  ),
  post(
    "review with groups",
    "/apis/authorization.k8s.io/v1/subjectaccessreviews",
    `{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"u","groups":[${list(150_000, (i) => `"g${i}"`)}],"resourceAttributes":{"verb":"get","resource":"pods"}}}`,
  ),
];

const versions = (count: number): string =>
  list(
    count,
    (i) =>
      `{"name":"v${i + 1}","served":true,"storage":${i === 0},"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"}}}}}}}`,
  );
const definition = (plural: string, kind: string, versionsOfIt: string): string =>
  `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"${plural}.many.test"},"spec":{"group":"many.test","scope":"Namespaced","names":{"plural":"${plural}","kind":"${kind}"},"versions":[${versionsOfIt}]}}`;
const version = (properties: string): string =>
  `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{${properties}}}}}}}`;

const definitionRequests: readonly HostileRequest[] = [
  post("definition, 1,000 versions", crds, definition("manys", "Many", versions(1_000))),
  post(
    "definition, 20,000 fields",
    crds,
    definition(
      "wides",
      "Wide",
      version(list(20_000, (i) => `"f${i}":{"type":"string","maxLength":5,"description":"a field"}`)),
    ),
  ),
  post(
    "definition, 5,000 rules",
    crds,
    definition(
      "ruleds",
      "Ruled",
      version(list(5_000, (i) => `"f${i}":{"type":"integer","x-kubernetes-validations":[{"rule":"self >= ${i}"}]}`)),
    ),
  ),
  post(
    "definition, 5,000 patterns",
    crds,
    definition(
      "patterns",
      "Pattern",
      version(list(5_000, (i) => `"f${i}":{"type":"string","pattern":"^[a-z]{${i % 50}}$"}`)),
    ),
  ),
  { title: "OpenAPI of all definitions", method: "GET", path: "/openapi/v3/apis/many.test/v1" },
  { title: "OpenAPI v2", method: "GET", path: "/openapi/v2" },
  { title: "definitions as YAML", method: "GET", path: crds, type: yaml },
  { title: "list as YAML", method: "GET", path: "/api/v1/configmaps", type: yaml },
  { title: "list", method: "GET", path: "/api/v1/configmaps" },
  {
    title: "list as Table",
    method: "GET",
    path: "/api/v1/configmaps",
    type: "application/json;as=Table;g=meta.k8s.io;v=v1",
  },
  { title: "list by field", method: "GET", path: "/api/v1/configmaps?fieldSelector=metadata.name%21%3Da" },
  { title: "delete collection", method: "DELETE", path: configMaps },
];

/** In this order: some use what others have made. */
export const hostileRequests: readonly HostileRequest[] = [
  ...yamlRequests,
  ...listRequests,
  ...metadataRequests,
  ...manyKeysRequests(40_000),
  ...manyKeysRequests(68_000),
  ...kindRequests,
  ...definitionRequests,
];
