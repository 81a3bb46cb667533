import type { Answer } from "../conformance/api.ts";
import { type Place, type Rule, ruleOf, type TenantCase } from "./tenant-case.ts";

const on = (verbs: string, resources: string, group = "", resourceNames?: readonly string[]): Rule =>
  ruleOf(group, verbs, resources, resourceNames);

const admission = "admissionregistration.k8s.io";
const admissionApi = `/apis/${admission}/v1`;
const configMaps = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;
const pods = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`;
const makeConfigMap = async ({ api, namespace, name }: Place): Promise<readonly Answer[]> => [
  await api.post(configMaps(namespace), { metadata: { name } }),
];
const makePod = async ({ api, namespace, name }: Place): Promise<readonly Answer[]> => [
  await api.post(pods(namespace), { metadata: { name }, spec: { containers: [{ name: "c", image: "i" }] } }),
];
const owned = async ({ api, as, namespace, name }: Place): Promise<Answer> => {
  const { uid } = (await api.get(`${configMaps(namespace)}/${name}`)).body.metadata as { readonly uid: string };
  const ownerReferences = [
    { apiVersion: "v1", kind: "ConfigMap", name, uid, blockOwnerDeletion: true, controller: true },
  ];
  return await api.post(configMaps(namespace), { metadata: { name: `${name}-owned`, ownerReferences } }, { as });
};
const webhook = ({ name }: Place) => ({
  metadata: { name },
  webhooks: [
    {
      name: "a.tenants.test",
      clientConfig: { url: "https://127.0.0.1:1/" },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      failurePolicy: "Ignore",
      rules: [{ apiGroups: ["tenants.test"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["none"] }],
    },
  ],
});
const apiService = {
  metadata: { name: "v1.tenants.test" },
  spec: {
    group: "tenants.test",
    version: "v1",
    groupPriorityMinimum: 1,
    versionPriority: 1,
    service: { name: "x", namespace: "default" },
  },
};
const apiServices = "/apis/apiregistration.k8s.io/v1/apiservices";

/** Deletes it at once: while an API does not answer, no namespace of a real cluster goes. */
const createApiService = async ({ api, as }: Place): Promise<Answer> => {
  const answer = await api.post(apiServices, apiService, { as });
  if (answer.code === 201) await api.delete(`${apiServices}/${apiService.metadata.name}`);
  return answer;
};

const reviews = "/apis/authorization.k8s.io/v1";
const aboutSomeone = { user: "someone", resourceAttributes: { verb: "get", resource: "pods" } };
const names = ({ body }: Answer): unknown =>
  (body.items as readonly { metadata: { name: string } }[] | undefined)?.length;
const listed = (title: string, method: string, query: Readonly<Record<string, string>>, rule: Rule): TenantCase => ({
  title,
  here: [rule],
  given: makeConfigMap,
  send: ({ api, as, namespace, name }) => {
    const filled = Object.entries(query).map(([key, value]) => [key, value.replace("NAME", name)]);
    return api.call(method, configMaps(namespace), { as, query: Object.fromEntries(filled) as Record<string, string> });
  },
  also: names,
});
const named = (verbs: string): Rule => on(verbs, "configmaps", "", ["only"]);
const forward =
  (method: string) =>
  ({ api, as, namespace, name }: Place): Promise<Answer> =>
    api.call(method, `${pods(namespace)}/${name}/portforward`, { as, query: { ports: "80" } });
const onPod =
  (method: string, subresource: string, body?: object) =>
  ({ api, as, namespace, name }: Place): Promise<Answer> =>
    api.call(method, `${pods(namespace)}/${name}/${subresource}`, { as, ...(body === undefined ? {} : { body }) });

/** Objects whose subresources, owners and selections are rights of their own. */
export const objectCases: readonly TenantCase[] = [
  {
    title: "an object owned by one that one may not change",
    here: [on("create", "configmaps")],
    given: makeConfigMap,
    send: owned,
  },
  {
    title: "a finalizer, as one who may patch",
    here: [on("patch", "configmaps")],
    given: makeConfigMap,
    send: ({ api, as, namespace, name }) =>
      api.mergePatch(`${configMaps(namespace)}/${name}`, { metadata: { finalizers: ["tenants.test/f"] } }, { as }),
  },
  listed("a list of one name, with the right to it", "GET", { fieldSelector: "metadata.name=only" }, named("list")),
  listed("a list of another name", "GET", { fieldSelector: "metadata.name=other" }, named("list")),
  listed("a list of all names but one", "GET", { fieldSelector: "metadata.name!=only" }, named("list")),
  listed("a list of all names", "GET", {}, named("list")),
  listed(
    "a list of one name and a namespace",
    "GET",
    { fieldSelector: "metadata.namespace=x,metadata.name=only" },
    named("list"),
  ),
  listed("a list of two names", "GET", { fieldSelector: "metadata.name=only,metadata.name=NAME" }, named("list")),
  listed(
    "a list of two names, the other first",
    "GET",
    { fieldSelector: "metadata.name=NAME,metadata.name=only" },
    named("list"),
  ),
  listed("a list of one name, written with two signs", "GET", { fieldSelector: "metadata.name==only" }, named("list")),
  listed("a list of a name with an escape", "GET", { fieldSelector: "metadata.name=on\\ly" }, named("list")),
  listed("a list of a name with an escaped comma", "GET", { fieldSelector: "metadata.name=only\\,x" }, named("list")),
  listed("a list of a field whose name ends so", "GET", { fieldSelector: "x.metadata.name=only" }, named("list")),
  listed("a list by labels that say a name", "GET", { labelSelector: "metadata.name=only" }, named("list")),
  listed(
    "the deletion of all of one name",
    "DELETE",
    { fieldSelector: "metadata.name=only" },
    named("deletecollection"),
  ),
  listed(
    "the deletion of all of one name, with the right to delete it",
    "DELETE",
    { fieldSelector: "metadata.name=only" },
    named("delete"),
  ),
  listed("the deletion of all", "DELETE", { labelSelector: "a=b" }, named("deletecollection")),
  listed("a watch, with the right to list", "GET", { watch: "1", timeoutSeconds: "1" }, on("list get", "configmaps")),
  {
    title: "a new object, with the right to its name",
    here: [on("create", "configmaps", "", ["only"])],
    send: ({ api, as, namespace }) => api.post(configMaps(namespace), { metadata: { name: "only" } }, { as }),
  },
  {
    title: "a new object, with the right to the empty name",
    here: [on("create", "configmaps", "", [""])],
    send: ({ api, as, namespace, name }) => api.post(configMaps(namespace), { metadata: { name } }, { as }),
  },
  {
    title: "a new object by apply, with the right to its name",
    here: [on("create patch", "configmaps", "", ["applied-by-name"])],
    send: ({ api, as, namespace }) =>
      api.apply(
        `${configMaps(namespace)}/applied-by-name`,
        "m",
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "applied-by-name" } },
        { as },
      ),
  },
  {
    title: "the status of a Pod, as one who may change Pods",
    here: [on("get update patch", "pods")],
    given: makePod,
    send: ({ api, as, namespace, name }) =>
      api.mergePatch(`${pods(namespace)}/${name}/status`, { status: { phase: "Running" } }, { as }),
  },
  {
    title: "the eviction of a Pod, as one who may delete Pods",
    here: [on("*", "pods")],
    given: makePod,
    send: onPod("POST", "eviction", { metadata: {} }),
  },
  {
    title: "the binding of a Pod, as one who may change Pods",
    here: [on("*", "pods")],
    given: makePod,
    send: onPod("POST", "binding", { target: { name: "n" } }),
  },
  {
    title: "a binding, as one who may change Pods",
    here: [on("*", "pods")],
    send: ({ api, as, namespace, name }) =>
      api.post(`/api/v1/namespaces/${namespace}/bindings`, { metadata: { name }, target: { name: "n" } }, { as }),
  },
  ...["exec", "attach", "log", "proxy", "portforward", "ephemeralcontainers"].map((subresource): TenantCase => ({
    title: `the ${subresource} of a Pod, as one who may do everything with Pods`,
    here: [on("*", "pods")],
    given: makePod,
    send: onPod("GET", subresource),
  })),
  {
    title: "ports of a Pod by GET, as one who may get all about Pods",
    here: [on("get", "*")],
    given: makePod,
    send: forward("GET"),
  },
  {
    title: "ports of a Pod by POST, as one who may get all about Pods",
    here: [on("get", "*")],
    given: makePod,
    send: forward("POST"),
  },
  {
    title: "the proxy of a node, as one who may do everything with nodes",
    everywhere: [on("*", "nodes")],
    send: ({ api, as }) => api.get("/api/v1/nodes/n/proxy", { as }),
  },
  {
    title: "a Node, as one who has the rights in a namespace",
    here: [on("*", "*", "*")],
    send: ({ api, as, name }) => api.post("/api/v1/nodes", { metadata: { name } }, { as }),
  },
  {
    title: "the end of a namespace, as one who may change it",
    everywhere: [on("get update patch", "namespaces")],
    send: ({ api, as, namespace }) =>
      api.put(`/api/v1/namespaces/${namespace}/finalize`, { metadata: { name: namespace } }, { as }),
  },
  {
    title: "a webhook, as one who has all rights in a namespace",
    here: [on("*", "*", "*")],
    send: (place) =>
      place.api.post(`${admissionApi}/validatingwebhookconfigurations`, webhook(place), { as: place.as }),
  },
  {
    title: "a webhook, as one who may make it",
    everywhere: [on("create", "validatingwebhookconfigurations", admission)],
    send: (place) =>
      place.api.post(`${admissionApi}/validatingwebhookconfigurations`, webhook(place), { as: place.as }),
  },
  {
    title: "an APIService, as one who has all rights in a namespace",
    here: [on("*", "*", "*")],
    send: createApiService,
  },
  {
    title: "an APIService, as one who may make it",
    everywhere: [on("create", "apiservices", "apiregistration.k8s.io")],
    send: createApiService,
  },
  {
    title: "a definition, as one who has all rights in a namespace",
    here: [on("*", "*", "*")],
    send: ({ api, as }) => api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {}, { as }),
  },
  {
    title: "a review of somebody else's rights, without the right",
    send: ({ api, as }) => api.post(`${reviews}/subjectaccessreviews`, { spec: aboutSomeone }, { as }),
  },
  {
    title: "a review of somebody else's rights here",
    here: [on("create", "localsubjectaccessreviews", "authorization.k8s.io")],
    send: ({ api, as, namespace }) =>
      api.post(
        `${reviews}/namespaces/${namespace}/localsubjectaccessreviews`,
        {
          metadata: { namespace },
          spec: { ...aboutSomeone, resourceAttributes: { ...aboutSomeone.resourceAttributes, namespace } },
        },
        { as },
      ),
  },
  {
    title: "a review of somebody else's rights elsewhere, asked here",
    here: [on("create", "localsubjectaccessreviews", "authorization.k8s.io")],
    isCoarse: true,
    send: ({ api, as, namespace, elsewhere }) =>
      api.post(
        `${reviews}/namespaces/${namespace}/localsubjectaccessreviews`,
        {
          metadata: { namespace },
          spec: { ...aboutSomeone, resourceAttributes: { ...aboutSomeone.resourceAttributes, namespace: elsewhere } },
        },
        { as },
      ),
  },
  {
    title: "a review of somebody else's rights outside of namespaces, asked here",
    here: [on("create", "localsubjectaccessreviews", "authorization.k8s.io")],
    isCoarse: true,
    send: ({ api, as, namespace }) =>
      api.post(
        `${reviews}/namespaces/${namespace}/localsubjectaccessreviews`,
        { metadata: { namespace }, spec: aboutSomeone },
        { as },
      ),
  },
  {
    title: "a review of somebody else's paths, asked here",
    here: [on("create", "localsubjectaccessreviews", "authorization.k8s.io")],
    isCoarse: true,
    send: ({ api, as, namespace }) =>
      api.post(
        `${reviews}/namespaces/${namespace}/localsubjectaccessreviews`,
        {
          metadata: { namespace },
          spec: { user: "someone", nonResourceAttributes: { verb: "get", path: "/metrics" } },
        },
        { as },
      ),
  },
  {
    title: "a system priority class",
    everywhere: [on("create", "priorityclasses", "scheduling.k8s.io")],
    send: ({ api, as }) =>
      api.post(
        "/apis/scheduling.k8s.io/v1/priorityclasses",
        { metadata: { name: "system-tenant" }, value: 2e9 },
        { as },
      ),
  },
  {
    title: "the metrics of the server",
    here: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
    send: ({ api, as }) => api.get("/metrics", { as }),
  },
];
