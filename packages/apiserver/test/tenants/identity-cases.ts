import { createCertificateRequest } from "@capstan/pki";
import type { Answer } from "../conformance/api.ts";
import { type Place, type Rule, ruleOf, type TenantCase } from "./tenant-case.ts";

const authentication = "/apis/authentication.k8s.io/v1";
const whoAmI = `${authentication}/selfsubjectreviews`;
const certificates = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

const on = (verbs: string, resources: string, resourceNames?: readonly string[], group = ""): Rule =>
  ruleOf(group, verbs, resources, resourceNames);
const impersonates = (resources: string, ...names: readonly string[]): Rule => on("impersonate", resources, names);
const impersonatesAs = (resources: string, ...names: readonly string[]): Rule =>
  on("impersonate", resources, names, "authentication.k8s.io");

const sendAs =
  (headers: Readonly<Record<string, string>>) =>
  ({ api, as, namespace }: Place): Promise<Answer> => {
    const filled = Object.entries(headers).map(([name, value]) => [name, value.replace("NAMESPACE", namespace)]);
    return api.post(whoAmI, {}, { as, headers: Object.fromEntries(filled) as Record<string, string> });
  };
const who = ({ body }: Answer): unknown => {
  const { username, groups, uid, extra } = body.status.userInfo as Readonly<Record<string, unknown>>;
  return [username, groups, uid, extra];
};
const acting = (
  title: string,
  headers: Readonly<Record<string, string>>,
  rights: Pick<TenantCase, "here" | "everywhere">,
): TenantCase => ({ title: `acting as ${title}`, ...rights, send: sendAs(headers), also: who, isCoarse: true });

const user = { "impersonate-user": "someone" };

/** Acting as another user. */
const impersonation: readonly TenantCase[] = [
  acting("a user, without the right", user, {}),
  acting("a user", user, { everywhere: [impersonates("users")] }),
  acting("a user, with the right in a namespace", user, { here: [impersonates("users")] }),
  acting("a user by name", user, { everywhere: [impersonates("users", "someone")] }),
  acting("another user than by name", user, { everywhere: [impersonates("users", "another")] }),
  acting("a user, with all verbs", user, { everywhere: [on("*", "users")] }),
  acting("a user, with other verbs", user, { everywhere: [on("get list create update", "users")] }),
  acting("oneself", { "impersonate-user": "system:serviceaccount:NAMESPACE:nobody" }, {}),
  acting("a group besides", { ...user, "impersonate-group": "g" }, { everywhere: [impersonates("users")] }),
  acting(
    "a group with the right",
    { ...user, "impersonate-group": "g" },
    { everywhere: [impersonates("users groups")] },
  ),
  acting(
    "the group that may do everything",
    { ...user, "impersonate-group": "system:masters" },
    { everywhere: [impersonates("users"), impersonates("groups", "g")] },
  ),
  acting("a group alone", { "impersonate-group": "g" }, { everywhere: [impersonates("users groups")] }),
  acting("a uid", { ...user, "impersonate-uid": "1" }, { everywhere: [impersonates("users")] }),
  acting("a uid, of the core group", { ...user, "impersonate-uid": "1" }, { everywhere: [impersonates("users uids")] }),
  acting(
    "a uid with the right",
    { ...user, "impersonate-uid": "1" },
    { everywhere: [impersonates("users"), impersonatesAs("uids", "1")] },
  ),
  acting("an extra", { ...user, "impersonate-extra-scopes": "all" }, { everywhere: [impersonates("users")] }),
  acting(
    "an extra of any key",
    { ...user, "impersonate-extra-scopes": "all" },
    { everywhere: [impersonates("users"), impersonatesAs("userextras")] },
  ),
  acting(
    "an extra of its key",
    { ...user, "impersonate-extra-scopes": "all" },
    { everywhere: [impersonates("users"), impersonatesAs("userextras/scopes")] },
  ),
  acting(
    "an extra of another value",
    { ...user, "impersonate-extra-scopes": "all" },
    { everywhere: [impersonates("users"), impersonatesAs("userextras/scopes", "some")] },
  ),
  acting(
    "an extra whose key is escaped",
    { ...user, "impersonate-extra-acme.test%2Fscopes": "all" },
    { everywhere: [impersonates("users"), impersonatesAs("userextras/acme.test/scopes")] },
  ),
  acting(
    "an account of the namespace",
    { "impersonate-user": "system:serviceaccount:NAMESPACE:default" },
    { here: [impersonates("serviceaccounts")] },
  ),
  acting(
    "an account of the namespace, with the right to users",
    { "impersonate-user": "system:serviceaccount:NAMESPACE:default" },
    { everywhere: [impersonates("users")] },
  ),
  acting(
    "an account of another namespace",
    { "impersonate-user": "system:serviceaccount:kube-system:default" },
    { here: [impersonates("serviceaccounts")] },
  ),
  acting(
    "an account with a group of another namespace",
    {
      "impersonate-user": "system:serviceaccount:NAMESPACE:default",
      "impersonate-group": "system:serviceaccounts:kube-system",
    },
    { here: [impersonates("serviceaccounts")] },
  ),
  acting("a node", { "impersonate-user": "system:node:n" }, { everywhere: [impersonates("users")] }),
  acting("nobody", { "impersonate-user": "system:anonymous" }, { everywhere: [impersonates("users")] }),
  acting(
    "what is no account",
    { "impersonate-user": "system:serviceaccount:a" },
    { everywhere: [impersonates("users")] },
  ),
  acting(
    "an account of three parts",
    { "impersonate-user": "system:serviceaccount:a:b:c" },
    { everywhere: [impersonates("users")] },
  ),
];

const accounts = ({ namespace }: Place): string => `/api/v1/namespaces/${namespace}/serviceaccounts`;
const secrets = (namespace: string): string => `/api/v1/namespaces/${namespace}/secrets`;
const makeAccount = async ({ api, namespace, name }: Place): Promise<readonly Answer[]> => [
  await api.post(accounts({ namespace } as Place), { metadata: { name: `${name}-robot` } }),
];
const tokenOf =
  (account = "") =>
  (place: Place): Promise<Answer> =>
    place.api.post(
      `${accounts(place)}/${account === "" ? `${place.name}-robot` : account}/token`,
      { spec: {} },
      {
        as: place.as,
      },
    );
const tokenSecret = ({ name }: Place) => ({
  apiVersion: "v1",
  kind: "Secret",
  type: "kubernetes.io/service-account-token",
  metadata: { name, annotations: { "kubernetes.io/service-account.name": `${name}-robot` } },
});

/** Tokens of accounts. */
const tokens: readonly TenantCase[] = [
  { title: "a token, without rights", given: makeAccount, send: tokenOf() },
  {
    title: "a token, as one who may do everything with accounts",
    here: [on("*", "serviceaccounts")],
    given: makeAccount,
    send: tokenOf(),
  },
  {
    title: "a token, as one who may make tokens",
    here: [on("create", "serviceaccounts/token")],
    given: makeAccount,
    send: tokenOf(),
  },
  {
    title: "a token of another account than by name",
    here: [on("create", "serviceaccounts/token", ["other"])],
    given: makeAccount,
    send: tokenOf(),
  },
  {
    title: "a token of an account that is not there",
    here: [on("create", "serviceaccounts/token")],
    send: tokenOf("nobody"),
  },
  {
    title: "a token of an account elsewhere",
    here: [on("create", "serviceaccounts/token")],
    send: ({ api, as, elsewhere }) =>
      api.post(`/api/v1/namespaces/${elsewhere}/serviceaccounts/default/token`, { spec: {} }, { as }),
  },
  {
    title: "a token bound to a Secret that one may not read",
    here: [on("create", "serviceaccounts/token")],
    given: async (place) => [
      ...(await makeAccount(place)),
      await place.api.post(secrets(place.namespace), { metadata: { name: place.name } }),
    ],
    send: (place) =>
      place.api.post(
        `${accounts(place)}/${place.name}-robot/token`,
        { spec: { boundObjectRef: { apiVersion: "v1", kind: "Secret", name: place.name } } },
        { as: place.as },
      ),
  },
  {
    title: "a Secret for a token, as one who may make Secrets",
    here: [on("create", "secrets")],
    given: makeAccount,
    send: (place) => place.api.post(secrets(place.namespace), tokenSecret(place), { as: place.as }),
  },
  {
    title: "a Secret for a token, as one who may change Secrets",
    here: [on("get update patch", "secrets")],
    given: makeAccount,
    send: (place) =>
      place.api.apply(`${secrets(place.namespace)}/${place.name}`, "m", tokenSecret(place), { as: place.as }),
  },
  {
    title: "a Secret that becomes one for a token",
    here: [on("get update patch", "secrets")],
    given: async (place) => [
      ...(await makeAccount(place)),
      await place.api.post(secrets(place.namespace), { metadata: { name: place.name } }),
    ],
    send: (place) => {
      const { type, metadata } = tokenSecret(place);
      const { annotations } = metadata;
      const patch = { type, metadata: { annotations } };
      return place.api.mergePatch(`${secrets(place.namespace)}/${place.name}`, patch, { as: place.as });
    },
  },
  {
    title: "a review of a token, without the right",
    send: ({ api, as }) => api.post(`${authentication}/tokenreviews`, { spec: { token: "x" } }, { as }),
  },
  {
    title: "the group that may do everything, by a bootstrap token",
    given: async ({ api }) => [
      await api.post(secrets("kube-system"), {
        metadata: { name: "bootstrap-token-master" },
        type: "bootstrap.kubernetes.io/token",
        stringData: {
          "token-id": "master",
          "token-secret": "0123456789abcdef",
          "usage-bootstrap-authentication": "true",
          "auth-extra-groups": "system:bootstrappers:some,system:masters",
        },
      }),
    ],
    send: ({ api }) => api.post(whoAmI, {}, { as: "master.0123456789abcdef" }),
  },
];

const signer = "tenants.test/some";
const csr = async ({ name }: Place, more: object = {}, organizations: readonly string[] = []) => {
  const { request } = await createCertificateRequest({ commonName: name, organizations });
  const spec = { request: Buffer.from(request).toString("base64"), signerName: signer, usages: ["client auth"] };
  return { metadata: { name }, spec: { ...spec, ...more } };
};
const makeRequest = async (place: Place): Promise<readonly Answer[]> => [
  await place.api.post(certificates, await csr(place)),
];
const condition = (type: string) => ({ type, status: "True", reason: "r", message: "m" });
const approve = ({ api, as, name }: Place): Promise<Answer> =>
  api.mergePatch(`${certificates}/${name}/approval`, { status: { conditions: [condition("Approved")] } }, { as });
const writes = (subresource: string): Rule =>
  on("get update patch", `certificatesigningrequests${subresource}`, undefined, "certificates.k8s.io");
const signers = (verbs: string, ...names: readonly string[]): Rule =>
  on(verbs, "signers", names, "certificates.k8s.io");
const approving = (title: string, ...rules: readonly Rule[]): TenantCase => ({
  title: `the approval of a certificate, ${title}`,
  everywhere: rules,
  given: makeRequest,
  send: approve,
});
const status =
  (status: object) =>
  ({ api, as, name }: Place): Promise<Answer> =>
    api.mergePatch(`${certificates}/${name}/status`, { status }, { as });
const certificate = Buffer.from("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n").toString("base64");
const createsRequests = on("create", "certificatesigningrequests", undefined, "certificates.k8s.io");

/** Certificates by request. */
const requests: readonly TenantCase[] = [
  approving("without rights"),
  approving("as one who may change requests", writes("")),
  approving("as one who may approve none", writes("/approval")),
  approving("as one who may approve all", writes("/approval"), signers("approve")),
  approving("as one who may approve those of the domain", writes("/approval"), signers("approve", "tenants.test/*")),
  approving("as one who may approve those of the signer", writes("/approval"), signers("approve", signer)),
  approving("as one who may approve those of another", writes("/approval"), signers("approve", "tenants.test/other")),
  approving("as one who may approve those of another domain", writes("/approval"), signers("approve", "other.test/*")),
  approving("as one who may sign", writes("/approval"), signers("sign")),
  approving("as one who may approve `*/*`", writes("/approval"), signers("approve", "*/*")),
  {
    title: "the approval of a certificate, as one who may approve in a namespace",
    here: [signers("approve")],
    everywhere: [writes("/approval")],
    given: makeRequest,
    send: approve,
  },
  {
    title: "no change of a request's approval",
    everywhere: [writes("/approval")],
    given: makeRequest,
    send: ({ api, as, name }) => api.mergePatch(`${certificates}/${name}/approval`, {}, { as }),
  },
  {
    title: "an approval by the request itself",
    everywhere: [writes("")],
    given: makeRequest,
    send: ({ api, as, name }) =>
      api.mergePatch(`${certificates}/${name}`, { status: { conditions: [condition("Approved")] } }, { as }),
    also: ({ body }) => body.status,
  },
  {
    title: "an approval by the status",
    everywhere: [writes("/status"), signers("sign")],
    given: makeRequest,
    send: status({ conditions: [condition("Approved")] }),
  },
  {
    title: "a certificate, as one who may change the status",
    everywhere: [writes("/status")],
    given: makeRequest,
    send: status({ certificate }),
  },
  {
    title: "a certificate, as one who may approve",
    everywhere: [writes("/status"), signers("approve")],
    given: makeRequest,
    send: status({ certificate }),
  },
  {
    title: "a failure, as one who may change the status",
    everywhere: [writes("/status")],
    given: makeRequest,
    send: status({ conditions: [condition("Failed")] }),
  },
  {
    title: "a condition of one's own, as one who may change the status",
    everywhere: [writes("/status")],
    given: makeRequest,
    send: status({ conditions: [condition("Mine")] }),
  },
  {
    title: "no change of a request's status",
    everywhere: [writes("/status")],
    given: makeRequest,
    send: status({}),
  },
  {
    title: "a request in somebody else's name",
    everywhere: [createsRequests],
    send: async (place) =>
      place.api.post(
        certificates,
        await csr(place, { username: "admin", groups: ["system:masters"], uid: "1", extra: { a: ["b"] } }),
        { as: place.as },
      ),
    also: ({ body }) => [body.spec.username, body.spec.groups],
  },
  ...[
    "kubernetes.io/kube-apiserver-client",
    "kubernetes.io/kube-apiserver-client-kubelet",
    "kubernetes.io/kubelet-serving",
    signer,
  ].map((signerName): TenantCase => ({
    title: `a certificate of the group that may do everything, by ${signerName}`,
    everywhere: [createsRequests],
    send: async (place) =>
      place.api.post(certificates, await csr(place, { signerName }, ["system:masters"]), { as: place.as }),
  })),
  {
    title: "another signer of a request",
    everywhere: [writes("")],
    given: makeRequest,
    send: ({ api, as, name }) =>
      api.mergePatch(`${certificates}/${name}`, { spec: { signerName: "tenants.test/other" } }, { as }),
    also: ({ body }) => body.spec?.signerName,
  },
];

export const identityCases: readonly TenantCase[] = [...impersonation, ...tokens, ...requests];
