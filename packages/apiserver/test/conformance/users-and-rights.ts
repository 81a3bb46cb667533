import { expect, it } from "vitest";
import { eventually, expectCode, expectStatus } from "./expectations.ts";
import { configMaps, coreApi, secrets, widget, widgetApi, widgets } from "./objects.ts";
import type { Section } from "./suite.ts";

const rbacApi = "/apis/rbac.authorization.k8s.io/v1";
const authorization = "/apis/authorization.k8s.io/v1";
const authentication = "/apis/authentication.k8s.io/v1";
const apiGroup = "rbac.authorization.k8s.io";

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Record<string, unknown>;

const bootstrapSecret = (id: string, more: object) => ({
  metadata: { name: `bootstrap-token-${id}` },
  type: "bootstrap.kubernetes.io/token",
  stringData: {
    "token-id": id,
    "token-secret": "0123456789abcdef",
    "usage-bootstrap-authentication": "true",
    "auth-extra-groups": "system:bootstrappers:kubeadm:default-node-token",
    ...more,
  },
});

/** Authentication and authorization. */
export const usersAndRights: Section = (suite) => {
  const roles = () => `${rbacApi}/namespaces/${suite().namespace}/roles`;
  const bindings = () => `${rbacApi}/namespaces/${suite().namespace}/rolebindings`;
  const grant = async (name: string, rules: readonly object[], subject: { kind: string; name: string }) => {
    const { api } = suite();
    expectCode(await api.post(roles(), { metadata: { name }, rules }), 201);
    const roleRef = { apiGroup, kind: "Role", name };
    expectCode(await api.post(bindings(), { metadata: { name }, roleRef, subjects: [{ apiGroup, ...subject }] }), 201);
  };

  it("J01 refuses the anonymous", async () => {
    expectStatus(await suite().api.get(`${coreApi}/namespaces`, { as: "nobody" }), 403, {
      reason: "Forbidden",
      message: 'User "system:anonymous" cannot list resource "namespaces" in API group "" at the cluster scope',
    });
  });

  it("J02 says what is refused", async () => {
    const { api, namespace } = suite();
    const as = "alice";
    const inNamespace = `in the namespace "${namespace}"`;
    const path = widgets(namespace);
    const group = "conf.capstan.test";
    const refused = [
      [await api.get(path, { as }), `cannot list resource "widgets" in API group "${group}" ${inNamespace}`],
      [await api.get(`${path}/x`, { as }), `cannot get resource "widgets" in API group "${group}" ${inNamespace}`],
      [await api.post(path, widget("x"), { as }), `cannot create resource "widgets" in API group`],
      [await api.get(path, { as, query: { watch: true } }), `cannot watch resource "widgets"`],
      [await api.delete(path, { as }), `cannot deletecollection resource "widgets"`],
      [await api.mergePatch(`${path}/x/status`, {}, { as }), `cannot patch resource "widgets/status"`],
      [await api.get(`${coreApi}/nodes`, { as }), `cannot list resource "nodes" in API group "" at the cluster scope`],
      [await api.get("/metrics", { as }), `cannot get path "/metrics"`],
    ] as const;
    for (const [answer, message] of refused) {
      expectStatus(answer, 403, { reason: "Forbidden", message: new RegExp(`User "alice" ${message}`) });
    }
  });

  it("J03 and J07 grant by roles", async () => {
    const { api, namespace } = suite();
    const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] }];
    await grant("j03", rules, { kind: "User", name: "alice" });
    await eventually(async () => expectCode(await api.get(configMaps(namespace), { as: "alice" }), 200));
    expectCode(await api.get(configMaps(namespace), { as: "alice", query: { watch: true } }), 403);
    expectCode(await api.get(configMaps("default"), { as: "alice" }), 403);
    const { body } = await api.get(`${bindings()}/j03`);
    const changed = { ...body, roleRef: { apiGroup, kind: "Role", name: "other" } };
    expectStatus(await api.put(`${bindings()}/j03`, changed), 422, { causes: ["FieldValueInvalid roleRef"] });
    expectCode(await api.delete(`${bindings()}/j03`), 200);
    await eventually(async () => expectCode(await api.get(configMaps(namespace), { as: "alice" }), 403));
  });

  it("J04 grants by name", async () => {
    const { api, namespace } = suite();
    const rules = [{ apiGroups: [""], resources: ["secrets"], resourceNames: ["s1"], verbs: ["get", "list"] }];
    await grant("j04", rules, { kind: "User", name: "alice" });
    await eventually(async () => expectCode(await api.get(`${secrets(namespace)}/s1`, { as: "alice" }), 404));
    expectCode(await api.get(`${secrets(namespace)}/s2`, { as: "alice" }), 403);
    expectCode(await api.get(secrets(namespace), { as: "alice" }), 403);
    const query = { fieldSelector: "metadata.name=s1" };
    expectCode(await api.get(secrets(namespace), { as: "alice", query }), 200);
  });

  it("J05 takes groups from certificates", async () => {
    const { api, namespace } = suite();
    expectStatus(await api.get(configMaps(namespace), { as: "carol" }), 403, { message: 'User "carol"' });
    const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["*"] }];
    await grant("j05", rules, { kind: "Group", name: "team-a" });
    await eventually(async () => expectCode(await api.get(configMaps(namespace), { as: "carol" }), 200));
  });

  it("J06 grants subresources of everything", async () => {
    const { api, namespace } = suite();
    await api.post(widgets(namespace), widget("j06"));
    await grant("j06", [{ apiGroups: ["*"], resources: ["*/scale"], verbs: ["get"] }], { kind: "User", name: "bob" });
    await eventually(async () => expectCode(await api.get(`${widgets(namespace)}/j06/scale`, { as: "bob" }), 200));
    expectCode(await api.get(`${widgets(namespace)}/j06`, { as: "bob" }), 403);
  });

  it("J08 checks rules", async () => {
    const { api } = suite();
    const create = (rule: object) => api.post(roles(), { metadata: { name: "j08" }, rules: [rule] });
    expectStatus(await create({ resources: ["pods"] }), 422, {
      causes: ["FieldValueRequired rules[0].apiGroups", "FieldValueRequired rules[0].verbs"],
    });
    expectStatus(await create({ verbs: ["get"], nonResourceURLs: ["/x"] }), 422, {
      someCauses: ["FieldValueInvalid rules[0].nonResourceURLs"],
    });
  });

  it("J09 reviews access", async () => {
    const { api, namespace } = suite();
    const path = `${authorization}/selfsubjectaccessreviews`;
    const ask = (spec: object) => api.post(path, { spec }, { as: "bob" });
    const allowed = await ask({
      resourceAttributes: { namespace, verb: "get", group: "g", resource: "x", subresource: "scale" },
    });
    expectCode(allowed, 201);
    expect(allowed.body.status).toEqual({
      allowed: true,
      reason: `RBAC: allowed by RoleBinding "j06/${namespace}" of Role "j06" to User "bob"`,
    });
    const denied = await ask({ resourceAttributes: { namespace, verb: "get", resource: "pods" } });
    expectCode(denied, 201);
    expect(denied.body.status.allowed).toBe(false);
    expectStatus(await ask({}), 422, { reason: "Invalid" });
  });

  it("J10 lists the rules of a user", async () => {
    const { api, namespace } = suite();
    const answer = await api.post(`${authorization}/selfsubjectrulesreviews`, { spec: { namespace } }, { as: "bob" });
    expectCode(answer, 201);
    const resources = answer.body.status.resourceRules.flatMap((rule: { resources: string[] }) => rule.resources);
    expect(resources).toEqual(expect.arrayContaining(["*/scale", "selfsubjectaccessreviews"]));
    const urls = answer.body.status.nonResourceRules.flatMap(
      (rule: { nonResourceURLs: string[] }) => rule.nonResourceURLs,
    );
    expect(urls).toEqual(expect.arrayContaining(["/version", "/apis/*"]));
    expectStatus(await api.post(`${authorization}/selfsubjectrulesreviews`, { spec: {} }, { as: "bob" }), 400);
  });

  it("J11 to J13 issue and review ServiceAccount tokens", async () => {
    const { api, namespace } = suite();
    const accounts = `${coreApi}/namespaces/${namespace}/serviceaccounts`;
    const account = (await api.post(accounts, { metadata: { name: "robot" } })).body;
    const issued = await api.post(`${accounts}/robot/token`, { spec: { expirationSeconds: 700 } });
    expectCode(issued, 201);
    const { token, expirationTimestamp } = issued.body.status;
    expect(Date.parse(expirationTimestamp)).toBeGreaterThan(Date.now());
    const claims = claimsOf(token);
    const subject = `system:serviceaccount:${namespace}:robot`;
    expect(claims).toMatchObject({
      sub: subject,
      "kubernetes.io": { namespace, serviceaccount: { name: "robot", uid: account.metadata.uid } },
    });
    expect((claims["exp"] as number) - (claims["iat"] as number)).toBe(700);
    for (const claim of ["iss", "aud", "nbf", "jti"]) {
      expect(claims[claim]).toBeDefined();
    }
    const self = await api.post(`${authentication}/selfsubjectreviews`, {}, { as: token });
    expectCode(self, 201);
    expect(self.body.status.userInfo.username).toBe(subject);
    expect(self.body.status.userInfo.groups.toSorted()).toEqual([
      "system:authenticated",
      "system:serviceaccounts",
      `system:serviceaccounts:${namespace}`,
    ]);
    const review = (spec: object) => api.post(`${authentication}/tokenreviews`, { spec });
    const good = await review({ token });
    expectCode(good, 201);
    expect(good.body.status).toMatchObject({ authenticated: true, user: { username: subject } });
    const bad = await review({ token: `${token.slice(0, -40)}${"A".repeat(40)}` });
    expect(bad.body.status.authenticated ?? false).toBe(false);
    expect(bad.body.status.error).toBeTypeOf("string");

    expectStatus(await review({}), 400, { reason: "BadRequest" });
    const elsewhere = await api.post(`${accounts}/robot/token`, { spec: { audiences: ["elsewhere"] } });
    expectCode(await api.get(`${coreApi}/namespaces`, { as: elsewhere.body.status.token }), 401);
    expectStatus(await api.post(`${accounts}/robot/token`, { spec: { expirationSeconds: 60 } }), 422, {
      reason: "Invalid",
    });
    expectStatus(await api.post(`${accounts}/nobody/token`, { spec: {} }), 404, { reason: "NotFound" });

    await api.delete(`${accounts}/robot`);
    await eventually(async () => expectCode(await api.get(`${coreApi}/namespaces`, { as: token }), 401));
  });

  it("J14 impersonates", async () => {
    const { api } = suite();
    const headers = { "impersonate-user": "alice" };
    expectStatus(await api.get(`${coreApi}/nodes`, { headers }), 403, { message: 'User "alice" cannot list' });
    const answer = await api.get(`${coreApi}/nodes`, { as: "alice", headers: { "impersonate-user": "admin" } });
    expectStatus(answer, 403, { message: 'User "alice" cannot impersonate' });
    const self = await api.post(
      `${authentication}/selfsubjectreviews`,
      {},
      { headers: { ...headers, "impersonate-group": "g" } },
    );
    expect(self.body.status.userInfo).toMatchObject({ username: "alice", groups: ["g", "system:authenticated"] });
  });

  it("J15 fills aggregated roles", async () => {
    const { api } = suite();
    const clusterRoles = `${rbacApi}/clusterroles`;
    await api.post(clusterRoles, {
      metadata: { name: "j15" },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "conf.capstan.test/j15": "true" } }] },
    });
    const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];
    await api.post(clusterRoles, {
      metadata: { name: "j15-part", labels: { "conf.capstan.test/j15": "true" } },
      rules,
    });
    await eventually(async () => {
      expect((await api.get(`${clusterRoles}/j15`)).body.rules).toEqual(rules);
    });
  });

  it("J16 lets nobody hand out rights they do not have", async () => {
    const { api, namespace } = suite();
    const rules = [{ apiGroups: [apiGroup], resources: ["rolebindings", "roles"], verbs: ["*"] }];
    await api.post(roles(), {
      metadata: { name: "j16" },
      rules: [{ ...rules[0], verbs: ["create", "get", "update"] }],
    });
    const subjects = [{ apiGroup, kind: "User", name: "bob" }];
    await api.post(bindings(), {
      metadata: { name: "j16" },
      roleRef: { apiGroup, kind: "Role", name: "j16" },
      subjects,
    });
    await eventually(async () => expectCode(await api.get(`${roles()}/j16`, { as: "bob" }), 200));
    const view = { metadata: { name: "j16-view" }, roleRef: { apiGroup, kind: "ClusterRole", name: "view" }, subjects };
    await eventually(async () => {
      expect((await api.get(`${rbacApi}/clusterroles/view`)).body.rules.length).toBeGreaterThan(0);
    });
    expectStatus(await api.post(bindings(), view, { as: "bob" }), 403, { reason: "Forbidden" });
    const more = {
      metadata: { name: "j16-more" },
      rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }],
    };
    expectStatus(await api.post(roles(), more, { as: "bob" }), 403, { reason: "Forbidden" });
    const own = {
      metadata: { name: "j16-own" },
      rules: [{ apiGroups: ["*"], resources: ["*/scale"], verbs: ["get"] }],
    };
    expectCode(await api.post(roles(), own, { as: "bob" }), 201);
    expectCode(await api.get(`${widgetApi}/namespaces/${namespace}/widgets`, { as: "bob" }), 403);
  });

  it("J16 sees through aggregation, and lets owners and finalizers be changed", async () => {
    const { api } = suite();
    const clusterRoles = `${rbacApi}/clusterroles`;
    const rules = [{ apiGroups: [apiGroup], resources: ["clusterroles"], verbs: ["create", "get", "patch"] }];
    await api.post(clusterRoles, { metadata: { name: "j16-writer" }, rules });
    const subjects = [{ apiGroup, kind: "User", name: "bob" }];
    const roleRef = { apiGroup, kind: "ClusterRole", name: "j16-writer" };
    await api.post(`${rbacApi}/clusterrolebindings`, { metadata: { name: "j16-writer" }, roleRef, subjects });
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] };
    const sly = { metadata: { name: "j16-sly" }, aggregationRule };
    await eventually(async () => {
      expectCode(await api.get(`${clusterRoles}/admin`, { as: "bob" }), 200);
    });
    expectStatus(await api.post(clusterRoles, sly, { as: "bob" }), 403, {
      message: /must have cluster-admin privileges/,
    });
    const labelled = { metadata: { labels: { touched: "yes" } } };
    expectCode(await api.mergePatch(`${clusterRoles}/admin`, labelled, { as: "bob" }), 403);
    const held = { metadata: { finalizers: ["conf.capstan.test/hold"] } };
    expectCode(await api.mergePatch(`${clusterRoles}/admin`, held, { as: "bob" }), 200);
    expectCode(await api.mergePatch(`${clusterRoles}/admin`, { metadata: { finalizers: null } }, { as: "bob" }), 200);
    expectCode(
      await api.mergePatch(
        `${clusterRoles}/admin`,
        { rules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }] },
        { as: "bob" },
      ),
      403,
    );
  });

  it("knows bootstrap tokens", async () => {
    const { api } = suite();
    const review = (token: string) => api.post(`${authentication}/selfsubjectreviews`, {}, { as: token });
    expectCode(await api.post(secrets("kube-system"), bootstrapSecret("abcdef", {})), 201);
    await eventually(async () => expectCode(await review("abcdef.0123456789abcdef"), 201));
    const answer = await review("abcdef.0123456789abcdef");
    expect(answer.body.status.userInfo.username).toBe("system:bootstrap:abcdef");
    expect(answer.body.status.userInfo.groups).toEqual(
      expect.arrayContaining(["system:bootstrappers", "system:bootstrappers:kubeadm:default-node-token"]),
    );
    expectCode(await review("abcdef.0123456789abcdee"), 401);
    await api.post(secrets("kube-system"), bootstrapSecret("expire", { expiration: "2020-01-01T00:00:00Z" }));
    expectCode(await review("expire.0123456789abcdef"), 401);
    await api.post(secrets("kube-system"), bootstrapSecret("unused", { "usage-bootstrap-authentication": "false" }));
    expectCode(await review("unused.0123456789abcdef"), 401);
    await api.delete(`${secrets("kube-system")}/bootstrap-token-abcdef`);
    await eventually(async () => expectCode(await review("abcdef.0123456789abcdef"), 401));
  });

  it("shows nothing to the anonymous", async () => {
    const { api } = suite();
    expectCode(await api.get(`${configMaps("kube-public")}/cluster-info`, { as: "nobody" }), 403);
    expectCode(await api.get(configMaps("kube-public"), { as: "nobody" }), 403);
  });
};
