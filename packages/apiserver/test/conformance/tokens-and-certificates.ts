import { beforeAll, expect, it } from "vitest";
import { createCertificateRequest } from "@capstan/pki";
import type { Answer } from "./api.ts";
import { eventually, expectCode, expectStatus } from "./expectations.ts";
import { configMaps, coreApi, secrets } from "./objects.ts";
import type { Section } from "./suite.ts";

const certificates = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const selfReview = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

const claimsOf = (token: string): Record<string, Record<string, unknown>> =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Record<string, Record<string, unknown>>;

/** Tokens that live as long as something else, and certificates on request. */
export const tokensAndCertificates: Section = (suite) => {
  const accounts = (): string => `${coreApi}/namespaces/${suite().namespace}/serviceaccounts`;
  const pods = (): string => `${coreApi}/namespaces/${suite().namespace}/pods`;
  const tokenFor = (account: string, boundObjectRef?: object): Promise<Answer> =>
    suite().api.post(`${accounts()}/${account}/token`, { spec: { ...(boundObjectRef && { boundObjectRef }) } });
  const whoIs = (token: string): Promise<Answer> =>
    suite().api.post(selfReview, { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" }, { as: token });
  const boundTo = (kind: string, { metadata }: { metadata: { name: string; uid: string } }) => ({
    apiVersion: "v1",
    kind,
    name: metadata.name,
    uid: metadata.uid,
  });

  beforeAll(async () => {
    const { api } = suite();
    for (const name of ["robot", "short"]) expectCode(await api.post(accounts(), { metadata: { name } }), 201);
    expectCode(await api.post(`${coreApi}/nodes`, { metadata: { name: "conf-token-node" } }), 201);
  });

  it("L10 binds a token to a Pod and tells where it runs", async () => {
    const { api } = suite();
    const spec = { serviceAccountName: "robot", nodeName: "conf-token-node", containers: [{ name: "c", image: "i" }] };
    const pod = (await api.post(pods(), { metadata: { name: "runner" }, spec })).body;
    const answer = await tokenFor("robot", boundTo("Pod", pod));
    expectCode(answer, 201);
    const token = answer.body.status.token as string;
    const { uid, name } = pod.metadata;
    expect(claimsOf(token)["kubernetes.io"]).toMatchObject({ pod: { name, uid }, node: { name: "conf-token-node" } });
    const self = await whoIs(token);
    expectCode(self, 201);
    expect(self.body.status.userInfo.extra).toMatchObject({
      "authentication.kubernetes.io/pod-name": ["runner"],
      "authentication.kubernetes.io/pod-uid": [uid],
      "authentication.kubernetes.io/node-name": ["conf-token-node"],
    });
    expectCode(await api.delete(`${pods()}/runner`, { body: { gracePeriodSeconds: 0 } }), 200);
    await eventually(async () => expectStatus(await whoIs(token), 401, { reason: "Unauthorized" }));
  });

  it("L11 refuses to bind to what is not there, is another, or runs as somebody else", async () => {
    const { api } = suite();
    const spec = { serviceAccountName: "short", containers: [{ name: "c", image: "i" }] };
    const pod = (await api.post(pods(), { metadata: { name: "stranger" }, spec })).body;
    expectStatus(await tokenFor("robot", boundTo("Pod", pod)), 400, { reason: "BadRequest" });
    const uid = "00000000-0000-4000-8000-000000000000";
    expectStatus(await tokenFor("short", { ...boundTo("Pod", pod), uid }), 409, { reason: "Conflict" });
    expectStatus(await tokenFor("short", { ...boundTo("Pod", pod), name: "nobody" }), 404, { reason: "NotFound" });
    const gvk = { apiVersion: "v1", kind: "ConfigMap", name: "x" };
    expectStatus(await tokenFor("short", gvk), 400, { reason: "BadRequest" });
  });

  it("L12 binds a token to a Secret", async () => {
    const { api, namespace } = suite();
    const secret = (await api.post(secrets(namespace), { metadata: { name: "anchor" } })).body;
    const token = (await tokenFor("robot", boundTo("Secret", secret))).body.status.token as string;
    expectCode(await whoIs(token), 201);
    expectCode(await api.delete(`${secrets(namespace)}/anchor`), 200);
    await eventually(async () => expectStatus(await whoIs(token), 401, { reason: "Unauthorized" }));
  });

  it("L13 voids the token of a Secret with the Secret", async () => {
    const { api, namespace } = suite();
    const annotations = { "kubernetes.io/service-account.name": "robot" };
    const body = { metadata: { name: "legacy", annotations }, type: "kubernetes.io/service-account-token" };
    expectCode(await api.post(secrets(namespace), body), 201);
    let token = "";
    await eventually(async () => {
      token = atob((await api.get(`${secrets(namespace)}/legacy`)).body.data.token as string);
    });
    expectCode(await whoIs(token), 201);
    expectCode(await api.delete(`${secrets(namespace)}/legacy`), 200);
    await eventually(async () => expectStatus(await whoIs(token), 401, { reason: "Unauthorized" }));
  });

  it("L14 voids tokens with their account, also when one of the same name follows", async () => {
    const { api } = suite();
    const token = (await tokenFor("short")).body.status.token as string;
    expectCode(await whoIs(token), 201);
    expectCode(await api.delete(`${accounts()}/short`), 200);
    expectCode(await api.post(accounts(), { metadata: { name: "short" } }), 201);
    await eventually(async () => expectStatus(await whoIs(token), 401, { reason: "Unauthorized" }));
  });

  const certificateRequest = async (name: string, more: object = {}, organizations: readonly string[] = []) => {
    const { request } = await createCertificateRequest({ commonName: name, organizations });
    const spec = {
      request: Buffer.from(request).toString("base64"),
      signerName: "conf.test/x",
      usages: ["client auth"],
    };
    return { metadata: { name }, spec: { ...spec, ...more } };
  };

  it("L20 records who asks for a certificate and checks the request", async () => {
    const { api } = suite();
    const made = await api.post(certificates, await certificateRequest("conf-csr"));
    expectCode(made, 201);
    expect(made.body.spec).toMatchObject({ username: "admin", groups: expect.arrayContaining(["system:masters"]) });
    const refused: readonly (readonly [object, string])[] = [
      [{ request: "eA==" }, "spec.request"],
      [{ signerName: "plain" }, "spec.signerName"],
      [{ usages: ["nothing"] }, "spec.usages[0]"],
      [{ expirationSeconds: 60 }, "spec.expirationSeconds"],
    ];
    for (const [more, field] of refused) {
      const answer = await api.post(certificates, await certificateRequest("conf-bad", more));
      expectStatus(answer, 422, { reason: "Invalid" });
      expect(answer.body.details.causes.map((cause: { field: string }) => cause.field)).toContain(field);
    }
    const master = await certificateRequest("conf-master", { signerName: "kubernetes.io/kube-apiserver-client" }, [
      "system:masters",
    ]);
    expectStatus(await api.post(certificates, master), 403, { reason: "Forbidden" });
  });

  it("L21 takes the verb approve on the signer to decide", async () => {
    const { api } = suite();
    const name = "conf-csr-approver";
    const rules = (verb: string) => [
      {
        apiGroups: ["certificates.k8s.io"],
        resources: ["certificatesigningrequests/approval"],
        verbs: ["update", "patch"],
      },
      { apiGroups: ["certificates.k8s.io"], resources: ["signers"], resourceNames: ["conf.test/*"], verbs: [verb] },
    ];
    expectCode(await api.post(`${rbac}/clusterroles`, { metadata: { name }, rules: rules("sign") }), 201);
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name };
    const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "alice" }];
    expectCode(await api.post(`${rbac}/clusterrolebindings`, { metadata: { name }, roleRef, subjects }), 201);
    const condition = (type: string, status = "True") => ({ type, status, reason: "r", message: "m" });
    const decide = (...conditions: readonly object[]) =>
      api.mergePatch(`${certificates}/conf-csr/approval`, { status: { conditions } }, { as: "alice" });
    await eventually(async () =>
      expectStatus(await decide(condition("Approved")), 403, { message: "not permitted to approve" }),
    );
    expectCode(await api.mergePatch(`${rbac}/clusterroles/${name}`, { rules: rules("approve") }), 200);
    await eventually(async () => expectCode(await decide(condition("Approved")), 200));
    expectStatus(await decide(condition("Approved"), condition("Denied")), 422, { reason: "Invalid" });
    expectStatus(await decide(), 422, { reason: "Invalid" });
    const { body } = await api.get(`${certificates}/conf-csr`);
    expect(body.status.conditions).toMatchObject([{ type: "Approved", status: "True" }]);
    const status = await api.mergePatch(`${certificates}/conf-csr/status`, { status: { certificate: "eA==" } });
    expectStatus(status, 422, { someCauses: ["FieldValueInvalid status.certificate"] });
  });

  it("L22 shows servers behind it how to know its clients", async () => {
    const { body } = await suite().api.get(`${configMaps("kube-system")}/extension-apiserver-authentication`);
    expect(body.data["client-ca-file"]).toContain("BEGIN CERTIFICATE");
  });

  it("L23 has a Service of its own", async () => {
    const { api } = suite();
    const service = await api.get(`${coreApi}/namespaces/default/services/kubernetes`);
    expect(service.body.spec).toMatchObject({ clusterIP: "10.0.0.1", ports: [{ name: "https", port: 443 }] });
  });

  it("L24 grants the controllers of a control plane what they need, and no more", async () => {
    const { api } = suite();
    const may = async (user: string, verb: string, resource: string, apiGroup = ""): Promise<boolean> => {
      const resourceAttributes = { verb, resource, group: apiGroup, namespace: "default" };
      const review = await api.post("/apis/authorization.k8s.io/v1/subjectaccessreviews", {
        spec: { user, resourceAttributes },
      });
      return review.body.status.allowed as boolean;
    };
    const controller = (name: string): string => `system:serviceaccount:kube-system:${name}`;
    expect(await may(controller("deployment-controller"), "update", "deployments", "apps")).toBe(true);
    expect(await may(controller("deployment-controller"), "get", "secrets")).toBe(false);
    expect(await may(controller("replicaset-controller"), "create", "pods")).toBe(true);
    expect(await may(controller("generic-garbage-collector"), "delete", "widgets", "conf.capstan.test")).toBe(true);
    expect(await may("system:kube-scheduler", "create", "bindings")).toBe(true);
    expect(await may("system:kube-scheduler", "get", "secrets")).toBe(false);
    expect(await may("system:kube-controller-manager", "list", "widgets", "conf.capstan.test")).toBe(true);
    expect(await may("system:kube-proxy", "watch", "endpointslices", "discovery.k8s.io")).toBe(true);
  });
};
